import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { type Cause, CAUSE_TYPES, type CauseType } from '../../../kernel/cause';
import { MODES } from '../../../kernel/principal';
import { Field, resourceFields } from '../../../platform/http/field';
import { all, instant, listOf, oneOf, rule, text, textList } from '../../../platform/http/field-rules';
import { PageQuery } from '../../../platform/http/page-query';
import { exampleId } from '../../../platform/http/path-id';
import { QueryParameter } from '../../../platform/http/query-parameter';
import { REVISION, TIME, TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import { ANY_EVENT } from '../../../platform/openapi/events';
import type { EventView } from '../application/event-queries';
import { type Attempt, type DeliveryStatus, type DeliveryView, MAX_ATTEMPTS_SHOWN } from '../domain/delivery';
import { MAX_PATTERNS, patternCountProblem } from '../domain/event-pattern';
import type { EndpointStatus, WebhookEndpointView } from '../domain/webhook-endpoint';
import { DELIVERY, ENDPOINT } from './webhook-ids';

const EXAMPLE_EVENT_ID = exampleId('evt');

/** Includes duplicates. */
const MAX_CAUSES_GIVEN = 20;

const STATUSES = ['enabled', 'disabled'] as const;
const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;

/** Whether a pattern matches a known event type, an extension's included, is checked later. */
const eventPatterns = all(
  textList(100, MAX_PATTERNS),
  rule({ minItems: 1 }, (value) => patternCountProblem(value as string[])),
);
const url = text(2000);

const { field } = resourceFields({
  url: {
    rule: rule({ ...url.schema, format: 'uri' }, url),
    description:
      'Where events are sent: `https:`, on the public internet; or in the networks that the operator names in `WEBHOOK_ALLOWED_NETWORKS`, `http:` too.',
    example: 'https://example.com/webhooks/gala',
  },
  events: {
    rule: eventPatterns,
    description: 'Event types: one such as `lead.created`, all of an object as `lead.*`, or all as `*`.',
    example: ['lead.*', 'api_key.revoked'],
  },
  skipCauses: {
    rule: listOf(oneOf(CAUSE_TYPES), MAX_CAUSES_GIVEN),
    description:
      'Events with these causes aren’t sent to the endpoint, such as `import`. Duplicates are dropped. `GET /v1/events` and `GET /v1/changes` have them all.',
    example: ['import'],
  },
  description: { rule: text(500), description: 'For people.', example: 'Sales dashboard' },
  status: {
    rule: oneOf(STATUSES),
    description: 'Nothing is sent to a disabled endpoint.',
    example: 'enabled',
  },
});

export class CreateWebhookBody {
  @field('url', 'required') url!: string;
  @field('events', 'required') events!: string[];
  @field('skipCauses', 'nullable') skipCauses?: CauseType[] | null;
  @field('description', 'nullable') description?: string | null;
}

export class UpdateWebhookBody {
  @field('url', 'optional') url?: string;
  @field('events', 'optional') events?: string[];
  @field('skipCauses', 'nullable') skipCauses?: CauseType[] | null;
  @field('description', 'nullable') description?: string | null;
  @field('status', 'optional') status?: EndpointStatus;
}

export class RecoverBody {
  @Field({
    rule: instant,
    presence: 'required',
    description: 'Deliveries of events from then on are sent again, if they were given up.',
    example: '2027-01-15T00:00:00.000Z',
  })
  since!: string;
}

export class ListDeliveriesQuery extends PageQuery {
  @QueryParameter({ rule: oneOf(DELIVERY_STATUSES), description: 'In that state.' }) status?: DeliveryStatus;
}

export class ListEventsQuery extends PageQuery {
  @QueryParameter({ description: 'Of that type, such as `lead.created`.' }) type?: string;
}

@ApiSchema({ name: 'WebhookEndpoint' })
export class WebhookResponse implements Record<keyof WebhookEndpointView, unknown> {
  @ApiProperty({ example: ENDPOINT.example }) id!: string;
  @ApiProperty({ example: 'https://example.com/webhooks/gala' }) url!: string;
  @ApiProperty({ type: [String], example: ['lead.*'] }) events!: string[];
  @ApiProperty({
    enum: CAUSE_TYPES,
    isArray: true,
    description: 'Events with these causes aren’t sent to it.',
    example: [],
  })
  skipCauses!: CauseType[];
  @ApiProperty({ type: String, nullable: true, example: 'Sales dashboard' }) description!: string | null;
  @ApiProperty({ enum: STATUSES, example: 'enabled' }) status!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why nothing is sent any more; null while enabled.',
    example: null,
  })
  disabledReason!: string | null;
  @ApiProperty({
    ...TIME_OR_NULL,
    description: 'When it is disabled, since the key that made it expires then; null for never.',
  })
  expiresAt!: Date | null;
  @ApiProperty({
    ...TIME_OR_NULL,
    description:
      'When its host first answered a `webhook.test` event with 2xx. While it is null, all other events wait: nothing is lost.',
    example: '2027-01-15T09:30:01.000Z',
  })
  verifiedAt!: Date | null;
  @ApiProperty(TIME) createdAt!: Date;
  @ApiProperty(REVISION) revision!: number;
}

@ApiSchema({ name: 'WebhookEndpointWithSecret', description: 'An endpoint, together with its new secret.' })
export class WebhookWithSecretResponse extends WebhookResponse {
  @ApiProperty({
    description: 'What deliveries are signed with. It is shown this once: store it now.',
    example: 'whsec_<32 bytes in base64>',
  })
  secret!: string;
}

@ApiSchema({ name: 'WebhookAttempt' })
class AttemptResponse implements Record<keyof Attempt, unknown> {
  @ApiProperty(TIME) at!: Date;
  @ApiProperty({ type: 'integer', description: 'In milliseconds.', example: 84 }) duration!: number;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Null when no answer came.', example: 204 })
  responseStatus!: number | null;
  @ApiProperty({ type: String, nullable: true, description: 'The first 4 KiB.', example: '' })
  responseBody!: string | null;
  @ApiProperty({ type: String, nullable: true, example: null }) error!: string | null;
}

@ApiSchema({ name: 'WebhookDelivery', description: 'One event on its way to one endpoint.' })
export class DeliveryResponse implements Record<keyof DeliveryView, unknown> {
  @ApiProperty({ example: DELIVERY.example }) id!: string;
  @ApiProperty({ description: 'Sent as `webhook-id`.', example: EXAMPLE_EVENT_ID }) eventId!: string;
  @ApiProperty({ example: 'lead.created' }) eventType!: string;
  @ApiProperty({ enum: DELIVERY_STATUSES, example: 'succeeded' }) status!: string;
  @ApiProperty(TIME) createdAt!: Date;
  @ApiProperty(TIME_OR_NULL) nextAttemptAt!: Date | null;
  @ApiProperty({
    type: [AttemptResponse],
    description: `The latest ${MAX_ATTEMPTS_SHOWN}, in the order of time.`,
  })
  attempts!: AttemptResponse[];
}

@ApiSchema({ name: 'Recovery' })
export class RecoveryResponse {
  @ApiProperty({ type: 'integer', description: 'How many deliveries are sent again.', example: 12 })
  recovered!: number;
}

@ApiSchema({ name: 'EventCause', description: 'Who or what caused an event.' })
class CauseResponse implements Record<keyof Cause, unknown> {
  @ApiProperty({
    enum: CAUSE_TYPES,
    description:
      '`client` is a lead, on the page of a proposal or by a chat message. `system` is a job of Gala, or not known.',
    example: 'api_key',
  })
  type!: CauseType;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The key’s, the installation’s (`inst_…`), the member’s (`user_…`), the lead’s or the import’s. For a key or app, `credential.id` of `GET /v1/me`.',
    example: exampleId('key'),
  })
  id!: string | null;
}

@ApiSchema({ name: ANY_EVENT, description: 'An event, as webhook endpoints receive it.' })
export class EventResponse implements Record<keyof Omit<EventView, 'previous'>, unknown> {
  @ApiProperty({ example: EXAMPLE_EVENT_ID }) id!: string;
  @ApiProperty({ example: 'lead.stage_changed' }) type!: string;
  @ApiProperty(TIME) timestamp!: Date;
  @ApiProperty({ enum: MODES, example: 'test' }) mode!: string;
  @ApiProperty({ example: exampleId('ws') }) workspaceId!: string;
  @ApiProperty({ enum: ['v1'], example: 'v1' }) apiVersion!: 'v1';
  @ApiProperty() cause!: CauseResponse;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The object after the change, as the API returns it.',
    example: { id: exampleId('lead'), stage: 'visit_booked' },
  })
  data!: object;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'On updates: the changed fields, with their former values.',
    example: { stage: 'new_enquiry' },
  })
  previous?: object;
}
