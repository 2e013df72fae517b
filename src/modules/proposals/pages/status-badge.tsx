import { Badge } from '../../../platform/pages/components/badge';
import type { ProposalStatus } from '../domain/proposal';

const KINDS = {
  draft: 'neutral',
  sent: 'info',
  viewed: 'info',
  accepted: 'success',
  declined: 'danger',
  expired: 'warning',
  withdrawn: 'neutral',
} as const;

export function StatusBadge({ status }: { status: ProposalStatus }) {
  return <Badge kind={KINDS[status]}>{statusName(status)}</Badge>;
}

export function statusName(status: ProposalStatus): string {
  return status.charAt(0).toUpperCase() + status.slice(1);
}
