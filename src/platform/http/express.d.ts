import type { Principal } from '../../kernel/principal';

declare global {
  namespace Express {
    interface Request {
      /** Set by the access guard. */
      principal?: Principal;
      /** Set for every request before anything else. */
      id: string;
    }
  }
}
