/** Runs several reads and writes as one database transaction; repositories join the one that is running. */
export abstract class UnitOfWork {
  /** Commits when `work` resolves, rolls back when it rejects. Nested calls join the outer transaction. */
  abstract run<Result>(work: () => Promise<Result>): Promise<Result>;
}
