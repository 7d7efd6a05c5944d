import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerTo, NotSent } from '../../testing/drivers/requests.js';
import { completeProfileOptions } from '../../testing/options.js';
import { InstrumentedSite } from '../../testing/site.js';

/** @import { Answer } from '../../testing/headers.js' */
/** @import { Load, Request } from '../../testing/drivers/requests.js' */

/**
 * What a browser gets whose page sends a form.
 * @param {Load} load of the server @param {Partial<Request> & {isolates?: boolean}} [how]
 */
async function postedTo(load, { isolates = true, ...request } = {}) {
  const notes = /** @type {string[]} */ ([]);
  const { settings } = completeProfileOptions({ onNote: (note) => notes.push(note) });
  const site = new InstrumentedSite(settings, { isolates });
  const url = 'https://a.test/send';
  const asked = {
    url,
    method: 'POST',
    kind: /** @type {const} */ ('document'),
    canRedirect: true,
    ...request,
  };
  return { answer: await answerTo(site, asked, load), notes };
}

/** @param {number} status @param {Record<string, string>} headers @returns {Promise<Answer>} */
const answered = async (status, headers) => ({
  status,
  headers: Object.entries(headers),
  body: Buffer.from('%PDF'),
});

test('a form that may have arrived is not sent once more: its page says what went wrong', async () => {
  const { answer, notes } = await postedTo(() => Promise.reject(new Error('socket hang up')));
  assert.equal(answer?.status, 502);
  assert.match(String(answer.body), /^the form could not be passed on: socket hang up/);
  assert.deepEqual(notes, [
    'https://a.test/send has no probes: it could not be fetched by Node (socket hang up)',
  ]);
});

test('a form that nobody here can read is sent by the browser itself, where that leads to its page', async () => {
  const load = () => Promise.reject(new NotSent('too large'));
  assert.equal((await postedTo(load, { isolates: false })).answer, null);
  assert.equal((await postedTo(load)).answer?.status, 502);
});

test('what a form is answered with arrives, also where it gets no probes', async () => {
  const file = { 'content-type': 'application/pdf', 'content-disposition': 'attachment' };
  for (const isolates of [true, false]) {
    const { answer, notes } = await postedTo(() => answered(200, file), { isolates });
    assert.equal(String(answer?.body), '%PDF');
    assert.deepEqual(notes, []);
  }
});

test('a form that is to be sent to another address is, in every browser', async () => {
  const load = () => answered(307, { location: '/other' });
  for (const canRedirect of [true, false]) {
    const { answer } = await postedTo(load, { canRedirect });
    assert.equal(answer?.status, 307);
  }
  const { answer } = await postedTo(() => answered(303, { location: '/other' }), { canRedirect: false });
  assert.match(String(answer?.body), /location\.replace\("https:\/\/a\.test\/other"\)/);
});
