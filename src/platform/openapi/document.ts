import type { INestApplication } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import {
  getSchemaPath,
  type OpenAPIObject,
  type OperationObject,
  type SecuritySchemeObject,
  SwaggerModule,
} from '@nestjs/swagger';
import { EventTypes } from '../../kernel/event-types';
import { ScopeRegistry } from '../../kernel/scope-registry';
import { addressOf } from '../config/public-address';
import { checkedClasses } from '../http/check';
import { type Route, RouteTable } from '../http/route-table';
import { ErrorResponse } from './common-responses';
import { type Group, GROUP } from './describe';
import { commonErrors } from './errors';
import { dataClasses, describeEvents } from './events';
import { headers } from './headers';
import { introduction } from './introduction';
import { completeOperation } from './operation';
import { packageVersion } from '../package-version';
import { requestHeaders } from './request-headers';
import { modernizeExamples, type Schemas } from './schemas';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'gala_test_…, gala_live_… or gala_at_…',
  description:
    'An API key, or the access token of an app that a customer installed by OAuth 2.0. In a browser use a test key: live keys act on real data and don’t belong there.',
} as const;

function oauth2(publicUrl: URL, scopes: Map<string, string>): SecuritySchemeObject {
  return {
    type: 'oauth2',
    description: 'How an app that customers install gets its access token.',
    flows: {
      authorizationCode: {
        authorizationUrl: addressOf(publicUrl, '/oauth/authorize'),
        tokenUrl: addressOf(publicUrl, '/oauth/token'),
        refreshUrl: addressOf(publicUrl, '/oauth/token'),
        scopes: Object.fromEntries(scopes),
      },
    },
  };
}

/**
 * The OpenAPI document of a whole application, its extensions included. Nest describes each DTO and controller; this adds
 * what the pipeline does for every operation.
 */
export function createOpenApiDocument(app: INestApplication, publicUrl: URL): OpenAPIObject {
  const scopes = new Map(app.get(ScopeRegistry, { strict: false }).entries());
  const eventTypes = app.get(EventTypes, { strict: false });
  const table = app.get(RouteTable, { strict: false });
  const routes = routesByPath(table);
  const written = SwaggerModule.createDocument(
    app,
    {
      openapi: '3.1.0',
      info: {
        title: 'Gala API',
        version: packageVersion(),
        description: introduction,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } as { name: string },
      },
      servers: [{ url: addressOf(publicUrl) }],
    },
    { extraModels: [ErrorResponse, ...dataClasses(eventTypes)] },
  );
  const { openapi, info, servers, paths, components } = written;
  const schemas: Schemas = components?.schemas ?? {};
  Object.values(schemas).forEach(modernizeExamples);
  for (const { type, schemas: conditions } of checkedClasses()) {
    const checked = schemas[getSchemaPath(type).split('/').at(-1)!];
    if (checked) Object.assign(checked, ...conditions);
  }
  const webhooks = describeEvents(eventTypes, schemas);
  const operations: OperationObject[] = [];
  for (const [path, item] of Object.entries(paths)) {
    for (const method of METHODS) {
      const route = routes.get(`${method} ${path}`) ?? routes.get(`all ${path}`);
      if (!item[method] || !route) continue;
      item[method] = completeOperation(item[method], route, {
        ...{ scopes, schemas },
        createsReadable: table.createsReadable(route),
      });
      operations.push(item[method]);
    }
  }
  return {
    openapi,
    info,
    servers,
    tags: tagsOf(operations, app.get(DiscoveryService, { strict: false })),
    paths,
    components: {
      securitySchemes: { bearer: BEARER, oauth2: oauth2(publicUrl, scopes) },
      headers,
      parameters: requestHeaders,
      responses: commonErrors,
      schemas,
    },
    webhooks,
  };
}

function routesByPath(table: RouteTable): Map<string, Route> {
  return new Map(
    table
      .all()
      .flatMap((route) =>
        route.paths.map((path) => [
          `${route.method.toLowerCase()} ${path.replace(/[:*](\w+)/g, '{$1}')}`,
          route,
        ]),
      ),
  );
}

/** The tags in the order in which operations use them, described by their controllers. */
function tagsOf(operations: OperationObject[], discovery: DiscoveryService): OpenAPIObject['tags'] {
  const descriptions = new Map<string, string>();
  for (const { metatype } of discovery.getControllers()) {
    const group = metatype && (Reflect.getMetadata(GROUP, metatype) as Group | undefined);
    if (group) descriptions.set(group.name, group.description);
  }
  return [...new Set(operations.flatMap(({ tags }) => tags ?? []))].map((name) => ({
    name,
    ...(descriptions.has(name) && { description: descriptions.get(name) }),
  }));
}
