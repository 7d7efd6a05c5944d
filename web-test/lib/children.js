export * from '../../testing/run/children.js';
