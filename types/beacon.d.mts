export * from './beacon.cjs';
