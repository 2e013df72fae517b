import type { UserId } from './ids';
import type { Principal, WorkspaceRef } from './principal';
import type { TimelineActor } from './timeline';

/** The author of an action in the audit log: a person, a credential, or the operator on the command line. */
export interface Actor {
  readonly type: 'user' | 'api_key' | 'oauth' | 'operator';
  /** Null for the operator. */
  readonly id: string | null;
  /** An e-mail address, or the name of a key or an app. */
  readonly name: string;
  /** The client's address; null for the operator. */
  readonly address: string | null;
  /** The scopes of a credential. People have none, since their role decides, and neither has the operator. */
  readonly scopes?: readonly string[];
}

/** A signed-in person. */
export interface Person extends Actor {
  readonly type: 'user';
  readonly id: UserId;
}

export const OPERATOR: Actor = { type: 'operator', id: null, name: 'Operator', address: null };

export function actorOf({ credential, address }: Principal): Actor {
  const { type, id, name, scopes } = credential;
  return { type, id, name, address, scopes };
}

/** A workspace and, if someone acts in it, who: the principal of an API request, or an actor that a page or command names. */
export type ActingRef = WorkspaceRef | Principal | (WorkspaceRef & { readonly actor: Actor });

/** Null when nobody acts. */
export function callerOf(ref: ActingRef): Actor | null {
  if ('actor' in ref) return ref.actor;
  return 'credential' in ref ? actorOf(ref) : null;
}

/** The same for records of what happened to leads, which don't say where it came from. */
export function timelineActorOf(ref: ActingRef): TimelineActor | null {
  const caller = callerOf(ref);
  return caller && { type: caller.type, id: caller.id, name: caller.name };
}
