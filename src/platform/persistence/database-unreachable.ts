/** The database can't be had. The message names neither its address nor its password: both are in DATABASE_URL. */
export class DatabaseUnreachable extends Error {
  constructor(cause: NodeJS.ErrnoException) {
    const code = cause.code ? ` (${cause.code})` : '';
    super(`The database can't be reached${code}: ${cause.message}. Check DATABASE_URL.`, { cause });
  }
}
