import polyprof from 'polyprof/vite';
import { defineConfig } from 'vite';

/** The sampler needs shared memory, which pages have with these headers. */
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export default defineConfig({
  plugins: [polyprof({ minWeight: 5 })],
  server: { headers },
  preview: { headers },
});
