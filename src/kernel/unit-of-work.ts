/** Runs several reads and writes as one database transaction; repositories join the one that is running. */
export abstract class UnitOfWork {
  /**
   * Commits when `work` resolves, rolls back when it rejects. Nested calls join the outer transaction; one that
   * rejects takes back its own part alone, and the outer one can go on.
   */
  abstract run<Result>(work: () => Promise<Result>): Promise<Result>;

  /**
   * For what may only begin once the changes of the running unit of work are there for everyone, the outermost one's. That
   * resolves when `work` has. If the changes are taken back, it never begins.
   */
  abstract afterCommit(work: () => void | Promise<void>): void;
}
