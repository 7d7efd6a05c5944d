import { datadogRum } from '@datadog/browser-rum';
import * as Sentry from '@sentry/browser';

// Chromium has a `Profiler` of its own, for pages with the header `Document-Policy: js-profiling`: ours needs none.
globalThis.polyprof.install({ force: true });

// The rest is as the SDKs' manuals say.

/** The uploads go to the server of this page, so that you see them; put your own addresses here. */
const { host, origin } = location;

Sentry.init({
  dsn: `http://public@${host}/1`,
  integrations: [Sentry.browserProfilingIntegration()],
  profileSessionSampleRate: 1,
  profileLifecycle: 'manual',
});

datadogRum.init({
  applicationId: '00000000-0000-0000-0000-000000000000',
  clientToken: 'public',
  proxy: `${origin}/datadog`,
  sessionSampleRate: 100,
  profilingSampleRate: 100,
});

export { datadogRum, Sentry };
