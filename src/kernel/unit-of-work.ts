/** Runs reads and writes as one database transaction, which repositories join. */
export abstract class UnitOfWork {
  /**
   * Commits when `work` resolves, rolls back when it rejects. A nested call joins the outer transaction: when it rejects,
   * only its own part is rolled back, and the outer one can go on.
   */
  abstract run<Result>(work: () => Promise<Result>): Promise<Result>;

  /**
   * Runs `work` after the outermost unit of work has committed, before its `run` resolves; never after a rollback.
   */
  abstract afterCommit(work: () => void | Promise<void>): void;
}
