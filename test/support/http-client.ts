export * from '../../src/testing/client';
