import type { Principal } from '../../kernel/principal';
import type { AnswersUnderWay } from './answers-under-way';
import type { Turn } from './fair-turns';

declare global {
  namespace Express {
    interface Request {
      /** Set by the access guard. */
      principal?: Principal;
      /** Set while a request is answered whose browser had no cookie yet. */
      browserSecret?: string;
      /** A file that isn't there is counted where files are served, and not again where its path is refused. */
      isCountedAsFile?: boolean;
      /** Set for every request before anything else. */
      id: string;
      /** For how long the request waited for its turn, in milliseconds, if it had to. */
      waitedMs?: number;
    }

    interface Response {
      /** Set by the front door. */
      answers?: AnswersUnderWay;
      /** Set while the request has its turn. */
      turn?: Turn;
      leaveTurn?(): void;
    }
  }
}
