import { datadogRum, Sentry } from './monitoring.js';
import { collatzSteps } from './collatz.js';

const button = document.querySelector('button');
const output = document.querySelector('output');

button.addEventListener('click', async () => {
  button.disabled = true;
  Sentry.uiProfiler.startProfiler();
  // Busy and idle in turn. Datadog's SDK throws profiles of less than 5 s away.
  for (let second = 1; second <= 8; second++) {
    output.value = `${collatzSteps(300)} steps`;
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
  Sentry.uiProfiler.stopProfiler();
  datadogRum.stopSession();
  output.value += ', and two profiles are on their way';
  button.disabled = false;
});
button.disabled = false;
