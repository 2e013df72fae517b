import { hasAnyScope, type Principal } from '../../../kernel/principal';

interface Contact {
  readonly phone: string | null;
  readonly channelUserId: string | null;
}

/** What the answer to a change shows: whose phone it is only to callers who may read messages or leads. */
export function shownContact<View extends Contact>(caller: Principal, view: View): View {
  if (hasAnyScope(caller, 'messages:read', 'leads:read')) return view;
  return { ...view, phone: null, channelUserId: null };
}
