import type { Principal } from '../../kernel/principal';

declare global {
  namespace Express {
    interface Request {
      /** Set by the access guard. */
      principal?: Principal;
      /** Set while a page is answered that gives the browser its cookie. */
      browserSecret?: string;
      /** Set for every request before anything else. */
      id: string;
    }
  }
}
