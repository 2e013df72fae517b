import { getSchemaPath, type PathItemObject, type SchemaObject } from '@nestjs/swagger';
import type { EventTypes } from '../../kernel/event-types';
import { exampleOf, type Schema, type Schemas } from './schemas';

/** The name of the response class of any event. */
export const ANY_EVENT = 'Event';
/** The group of the route that lists events, and of the webhooks. */
export const EVENTS_GROUP = 'Events';

/** The classes of the events' data. Some of them aren't in the response of any route. */
export function dataClasses(eventTypes: EventTypes) {
  return new Set(eventTypes.names().flatMap((type) => eventTypes.dataOf(type) ?? []));
}

/**
 * Adds a schema for each event type, and makes the schema of any event their union, so that `type` tells the type of `data`.
 *
 * @returns the webhooks of the document, by event type
 */
export function describeEvents(eventTypes: EventTypes, schemas: Schemas): Record<string, PathItemObject> {
  const any = schemas[ANY_EVENT] as SchemaObject & { properties: Record<string, Schema> };
  const mapping: Record<string, string> = {};
  const webhooks: Record<string, PathItemObject> = {};
  for (const [type, description] of eventTypes.entries()) {
    const name = pascalCase(type);
    const schema = { $ref: getSchemaPath(`${name}Event`) };
    schemas[`${name}Event`] = schemaOf(type, description, any, eventTypes);
    mapping[type] = schema.$ref;
    webhooks[type] = { post: webhookOf(name, description, eventTypes.readScopeOf(type), schema) };
  }
  schemas[ANY_EVENT] = {
    description: any.description,
    oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping },
    examples: [exampleOfAny(any, mapping, schemas)],
  };
  return webhooks;
}

function schemaOf(
  type: string,
  description: string,
  any: { properties: Record<string, Schema> },
  eventTypes: EventTypes,
): SchemaObject {
  const data = eventTypes.dataOf(type);
  const properties: Record<string, Schema> = {
    ...any.properties,
    type: { type: 'string', enum: [type] },
    ...(data && { data: { $ref: getSchemaPath(data) } }),
  };
  return { ...any, description, properties };
}

function webhookOf(
  name: string,
  description: string,
  scope: string,
  schema: Schema,
): PathItemObject['post'] & object {
  return {
    tags: [EVENTS_GROUP],
    operationId: `on${name}`,
    summary: description,
    description: `Sent to webhook endpoints whose creator has the scope \`${scope}\`, and signed by [Standard Webhooks](/docs/guides/webhooks#verify).`,
    ...{ 'x-required-scope': scope },
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'Received. After any other answer the delivery is retried.' } },
  };
}

/** The example of the class, with the fields of its data that the class leaves out. */
function exampleOfAny(any: Schema, mapping: Record<string, string>, schemas: Schemas): object {
  const example = exampleOf(any, schemas) as { type: string; data: object };
  const $ref = mapping[example.type];
  const whole = $ref && (exampleOf({ $ref }, schemas) as { data: object });
  return { ...example, data: { ...(whole && whole.data), ...example.data } };
}

/** `lead.stage_changed` as `LeadStageChanged`. */
function pascalCase(type: string): string {
  return type.replace(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
