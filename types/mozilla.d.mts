export * from './mozilla.cjs';
