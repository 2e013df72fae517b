import { Badge } from '../../../platform/pages/components/badge';
import { Time } from '../../../platform/pages/components/time';
import type { Attempt, DeliveryView } from '../domain/delivery';
import type { EndpointDetails } from '../domain/webhook-endpoint';
import { isPaused } from '../domain/webhook-endpoint';

/** Distinguishes endpoints that a person paused from those that Gala disabled. */
export function EndpointState({ endpoint }: { endpoint: EndpointDetails }) {
  if (isPaused(endpoint)) return <Badge>Paused</Badge>;
  if (endpoint.status === 'disabled') return <Badge kind="danger">Disabled</Badge>;
  if (endpoint.failingSince) return <Badge kind="warning">Failing</Badge>;
  if (!endpoint.verifiedAt) return <Badge kind="info">Waiting for test</Badge>;
  return <Badge kind="success">Enabled</Badge>;
}

/** The reason why the endpoint receives nothing, if it has one. */
export function EndpointTrouble({ endpoint, zone }: { endpoint: EndpointDetails; zone: string }) {
  if (endpoint.status === 'disabled') return isPaused(endpoint) ? null : <>{endpoint.disabledReason}</>;
  if (!endpoint.failingSince) return null;
  return <Time at={endpoint.failingSince} zone={zone} />;
}

interface DeliveryStateProps {
  endpoint: EndpointDetails;
  delivery: DeliveryView;
}

export function DeliveryState({ endpoint, delivery: { status, attempts } }: DeliveryStateProps) {
  if (status === 'succeeded') return <Badge kind="success">Succeeded</Badge>;
  if (status === 'failed') return <Badge kind="danger">Failed</Badge>;
  if (endpoint.status === 'disabled') return <Badge>Waiting</Badge>;
  return attempts.length > 0 ? <Badge kind="warning">Retrying</Badge> : <Badge kind="info">Sending</Badge>;
}

export function answerOf({ responseStatus, error }: Attempt): string {
  return responseStatus === null ? (error ?? 'No response') : String(responseStatus);
}
