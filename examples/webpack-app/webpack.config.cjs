const polyprof = require('polyprof/webpack');

/** @type {import('webpack').Configuration & {devServer: object}} */
module.exports = {
  context: __dirname,
  mode: 'production',
  entry: './src/index.js',
  output: { path: `${__dirname}/dist`, filename: 'main.js', chunkFilename: '[name].[contenthash].js' },
  plugins: [polyprof({ minWeight: 5 })],
  devServer: {
    // For this machine alone: by default webpack's server listens on all interfaces.
    host: '127.0.0.1',
    static: __dirname,
    // The sampler needs shared memory, which pages have with these headers.
    headers: {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
  },
};
