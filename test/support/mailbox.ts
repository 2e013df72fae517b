export * from '../../src/testing/mailbox';
