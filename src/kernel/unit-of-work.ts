/** Runs several reads and writes as one database transaction; repositories join the one that is running. */
export abstract class UnitOfWork {
  /**
   * Commits when `work` resolves, rolls back when it rejects. Nested calls join the outer transaction; one that
   * rejects takes back its own part alone, and the outer one can go on.
   */
  abstract run<Result>(work: () => Promise<Result>): Promise<Result>;
}
