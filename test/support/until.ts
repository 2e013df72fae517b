export * from '../../src/testing/until';
