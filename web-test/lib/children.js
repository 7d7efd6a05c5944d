export * from '../../instrumenter/serving/children.js';
