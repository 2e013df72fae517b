import { daysBetween } from '../../../kernel/time-zone';
import { useLocale } from '../../../platform/pages/locale';
import type { ProposalStatus } from '../domain/proposal';
import { formatDay } from './money-format';

interface ExpiryProps {
  proposal: { readonly status: ProposalStatus; readonly validUntil: string | null };
  /** The current day in the workspace's time zone. */
  today: string;
}

const DECIDED: readonly ProposalStatus[] = ['accepted', 'declined', 'withdrawn'];

/** How long a proposal can still be accepted, with the day as a tooltip. Decided ones show the day. */
export function Expiry({ proposal: { status, validUntil }, today }: ExpiryProps) {
  const locale = useLocale();
  if (!validUntil) return <>No expiry</>;
  if (DECIDED.includes(status)) {
    return (
      <time class="quiet" datetime={validUntil}>
        {formatDay(validUntil, locale, 'medium')}
      </time>
    );
  }
  return (
    <time datetime={validUntil} title={formatDay(validUntil, locale)}>
      {expiryText(daysBetween(today, validUntil))}
    </time>
  );
}

/** @param days from today to the last day on which the proposal can be accepted */
export function expiryText(days: number): string {
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  if (days > 0) return `in ${days} days`;
  return days === -1 ? 'expired yesterday' : `expired ${-days} days ago`;
}
