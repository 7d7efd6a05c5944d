import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placesOf } from '../../instrumenter/serving/find_browser.js';

/** Where installed browsers are looked for. */

test('on Linux a browser is on the PATH', () => {
  const places = placesOf('firefox', 'linux', { PATH: '/usr/local/bin:/usr/bin' });
  assert.deepEqual(places, [
    '/usr/local/bin/firefox',
    '/usr/bin/firefox',
    '/usr/local/bin/firefox-esr',
    '/usr/bin/firefox-esr',
  ]);
});

test('on macOS Chrome, Chromium and Edge are applications', () => {
  const places = placesOf('chromium', 'darwin', { PATH: '/usr/bin' });
  assert.deepEqual(
    places.filter((place) => place.startsWith('/Applications/')).map((place) => place.replace(/.*\//, '')),
    ['Google Chrome', 'Chromium', 'Microsoft Edge'],
  );
});

test('on Windows programs are .exe files, on the PATH or below the folders of programs, and Edge is a Chromium', () => {
  const env = {
    PATH: 'C:\\tools;D:\\bin',
    ProgramFiles: 'C:\\Program Files',
    'ProgramFiles(x86)': 'C:\\Program Files (x86)',
    LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local',
  };
  const places = placesOf('chromium', 'win32', env);
  for (const place of places) assert.match(place, /^[CD]:\\.*\.exe$/);
  for (const place of [
    'C:\\tools\\chrome.exe',
    'D:\\bin\\msedge.exe',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
    'C:\\Users\\me\\AppData\\Local\\Chromium\\Application\\chrome.exe',
  ])
    assert.ok(places.includes(place), place);
});
