import type { UserId } from './ids';
import type { Principal } from './principal';

/** Who does something that the audit log keeps: a person, a credential, or the operator at the command line. */
export interface Actor {
  readonly type: 'user' | 'api_key' | 'oauth' | 'operator';
  /** Null for the operator. */
  readonly id: string | null;
  /** How people know them: an e-mail address, the name of a key or of an app. */
  readonly name: string;
  /** The client's address; null for the operator. */
  readonly address: string | null;
  /** What a credential may do. People and the operator have none: their role decides. */
  readonly scopes?: readonly string[];
}

/** Someone who is signed in. */
export interface Person extends Actor {
  readonly type: 'user';
  readonly id: UserId;
}

export const OPERATOR: Actor = { type: 'operator', id: null, name: 'Operator', address: null };

export function actorOf({ credential, address }: Principal): Actor {
  const { type, id, name, scopes } = credential;
  return { type, id, name, address, scopes };
}
