import { FORMS, PROBED } from './forms.js';
import { outcomeOf } from './outcome.js';

/** @import { Test262 } from './outcome.js' */

/** The other text is made by chance, and what compares texts may come to the same result. */
const TEXTS = 8;

/**
 * A process that runs one test after the other, as its parent sends them, and answers with its outcomes by form. Where nothing differs, nothing is run with
 * other text alone.
 */
process.on('message', async (/** @type {{test: Test262, checkout: string}} */ { test, checkout }) => {
  /** @type {Record<string, string>} */
  const outcomes = { plain: await outcomeOf(test, FORMS.plain, checkout) };
  for (const name of PROBED) outcomes[name] = await outcomeOf(test, FORMS[name], checkout);
  const differs = PROBED.some((name) => outcomes[name] !== outcomes.plain);
  for (let i = 0; differs && i < TEXTS && (outcomes.text ?? outcomes.plain) === outcomes.plain; i++)
    outcomes.text = await outcomeOf(test, FORMS.text, checkout);
  process.send?.(outcomes);
});

// Tests leave such behind.
process.on('unhandledRejection', () => {});
