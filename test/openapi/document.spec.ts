import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, Get, Module } from '@nestjs/common';
import { needsCredential, RequireScope } from '../../src/platform/access/access.decorators';
import { type Route, RouteTable } from '../../src/platform/http/route-table';
import { startGala, type TestGala } from '../support/start-gala';
import { type Document, type Operation, operationsOf, resolve, SchemaValidator } from './schema-validator';

// Without any decorator for the document, and with the scope on the class: as bare as another team may leave it.
@Controller('v1/points')
@RequireScope('points:read')
class PointsController {
  @Get(':leadId')
  of() {
    return { points: 0 };
  }
}

@Controller('v1/point-owners')
class PointOwnersController {
  @Get()
  @RequireScope('points:read', 'leads:read')
  list() {
    return { data: [] };
  }
}

@Module({ controllers: [PointsController, PointOwnersController] })
class PointsModule {}

let gala: TestGala;
let document: Document;
let operations: Operation[];
let validator: SchemaValidator;
beforeAll(async () => {
  gala = await startGala();
  document = (await gala.anonymous.get('/openapi.json')).body;
  operations = operationsOf(document);
  validator = new SchemaValidator(document);
});
afterAll(() => gala.stop());

/** Routes without an API key that are for programs all the same. */
const ALSO_PUBLISHED = [
  'POST /oauth/token',
  'POST /oauth/revoke',
  'POST /oauth/introspect',
  'GET /v1/calendar.ics',
];
const namesOf = ({ method, paths }: Route) => paths.map((path) => `${method} ${path}`);
const isPublished = (route: Route) =>
  (needsCredential(route.access) && route.method !== 'ALL') ||
  namesOf(route).some((name) => ALSO_PUBLISHED.includes(name));
const ERROR_CODES: Record<string, string> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  422: 'validation_error',
  429: 'rate_limit',
  500: 'server_error',
};

describe('the document as a whole', () => {
  test('is the committed openapi.json', () => {
    // If not: npm run openapi, and read the difference as a client would.
    expect(document).toEqual(JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')));
  });

  test('is served to anyone, as JSON that no browser takes for something else', async () => {
    const answer = await gala.anonymous.get('/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
  });

  test('is OpenAPI 3.1 through and through, with null as a type of its own', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(JSON.stringify(document)).not.toContain('"nullable"');
    expect(document.components.schemas.Lead.properties.name.type).toEqual(['string', 'null']);
    expect(document.components.schemas.CreateStageBody.properties.outcome.enum).toContain(null);
    expect(document.components.schemas.CreateLeadBody.properties.stage.anyOf).toContainEqual({
      type: 'null',
    });
  });

  test('names the public address as its server', async () => {
    const elsewhere = await startGala({
      configuration: { publicUrl: new URL('http://gala.example:8080/api/') },
      databaseUrl: gala.databaseUrl,
    });
    const { body } = await elsewhere.anonymous.get('/openapi.json');
    await elsewhere.stop();
    expect(body.servers).toEqual([{ url: 'http://gala.example:8080/api' }]);
  });

  test('describes every tag that an operation carries', () => {
    const described = document.tags.filter((tag: { description?: string }) => tag.description);
    expect(described.map((tag: { name: string }) => tag.name)).toEqual([
      ...new Set(operations.flatMap(({ operation }) => operation.tags)),
    ]);
  });
});

describe('the operations', () => {
  test('are exactly the routes that need a credential, what apps call to get one, and the calendar feed', () => {
    const routes = gala.app.get(RouteTable, { strict: false }).all().filter(isPublished);
    const inCode = routes.flatMap(namesOf);
    const inDocument = operations.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
    );
    expect(inDocument.sort()).toEqual(inCode.sort());
  });

  test('have names of their own that read well', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
  });

  test('each say in a summary what they do, and in two ways which scope they require', () => {
    const routes = gala.app.get(RouteTable, { strict: false }).all();
    for (const { path, method, operation } of operations) {
      const { access } = routes.find(
        (route) =>
          route.method === method.toUpperCase() && route.paths.includes(path.replace(/\{(\w+)\}/g, ':$1')),
      )!;
      expect(operation.summary).toMatch(/\w/);
      if (!needsCredential(access)) {
        expect(operation.security).toEqual([]);
        expect(operation.description).toContain('Needs no API key.');
        continue;
      }
      expect(operation.security).toEqual(
        access.kind === 'scope' ? [{ bearer: [] }, { oauth2: access.scopes }] : [{ bearer: [] }],
      );
      expect(operation['x-required-scope']).toBe(access.kind === 'scope' ? access.scopes.join(' ') : null);
      expect(operation.description).toContain(
        access.kind === 'scope' ? `Required scope: \`${access.scopes.join(' ')}\`` : 'Required scope: none',
      );
    }
  });

  test('each show an example answer, and an example body where one is sent, that their own schemas accept', () => {
    for (const { operation } of operations) {
      const bodies = [operation.requestBody, operation.responses[200] ?? operation.responses[201]];
      for (const body of bodies.filter(Boolean)) {
        for (const { schema, example } of Object.values<any>(body.content)) {
          // An image has no form in JSON.
          if (schema.format === 'binary') continue;
          expect(example).toEqual(schema.type === 'string' ? expect.any(String) : expect.any(Object));
          expect(validator.problems(schema, example)).toEqual([]);
        }
      }
    }
  });

  test('each list their errors, with an example in the envelope and the headers that come with it', () => {
    for (const { path, operation } of operations) {
      const errors = Object.keys(operation.responses).filter((status) => Number(status) >= 400);
      const isOAuth = path.startsWith('/oauth/');
      expect(errors).toEqual(expect.arrayContaining(['400', '429', '500', ...(isOAuth ? [] : ['422'])]));
      expect(errors.includes('401')).toBe(operation.security.length > 0 || isOAuth);
      if (operation['x-required-scope']) expect(errors).toContain('403');
      expect(errors.includes('404')).toBe(
        (operation.parameters ?? []).some(
          (parameter: { in: string; name: string }) => parameter.in === 'path' || parameter.name === 'token',
        ),
      );
      for (const status of errors) {
        const { headers, content } = resolve(document, operation.responses[status]);
        const { schema, example } = content['application/json'];
        if (isOAuth) expect(example.error).toEqual(expect.any(String));
        else expect(example.error).toMatchObject({ status: Number(status), code: ERROR_CODES[status] });
        expect(validator.problems(schema, example)).toEqual([]);
        expect(Object.keys(headers)).toEqual(
          expect.arrayContaining([
            'X-Request-Id',
            'X-RateLimit-Limit',
            'X-RateLimit-Remaining',
            'X-RateLimit-Reset',
          ]),
        );
      }
    }
  });

  test('that take a body refuse fields they don’t name, as the service does', () => {
    for (const { path, operation } of operations.filter(({ operation }) => operation.requestBody)) {
      // RFC 6749 section 3.2 has them ignored.
      if (path.startsWith('/oauth/')) continue;
      const { schema } = operation.requestBody.content['application/json'] ?? {};
      // Files have no fields.
      if (!schema) continue;
      expect(resolve(document, schema).additionalProperties).toBe(false);
    }
  });

  test('of OAuth take a form or JSON, and say where the person is sent first', () => {
    const body = document.paths['/oauth/token'].post.requestBody;
    expect(body.required).toBe(true);
    expect(Object.keys(body.content)).toEqual(['application/x-www-form-urlencoded', 'application/json']);
    expect(document.components.securitySchemes.oauth2.flows.authorizationCode).toMatchObject({
      authorizationUrl: 'http://localhost:3000/oauth/authorize',
      tokenUrl: 'http://localhost:3000/oauth/token',
      scopes: { 'leads:read': expect.any(String) },
    });
  });

  test('may leave the body out where the service lets them', () => {
    expect(document.paths['/v1/api-keys/{id}/rotate'].post.requestBody.required).toBe(false);
    expect(document.paths['/v1/leads'].post.requestBody.required).toBe(true);
  });
});

describe('an extension', () => {
  test('has its routes in the document, with scope and errors, even if it says nothing about them', async () => {
    const extended = await startGala({
      extensions: [{ module: PointsModule, scopes: { 'points:read': 'Read loyalty points' } }],
      databaseUrl: gala.databaseUrl,
    });
    const { body } = await extended.anonymous.get('/openapi.json');
    await extended.stop();
    const operation = body.paths['/v1/points/{leadId}'].get;
    expect(operation['x-required-scope']).toBe('points:read');
    expect(operation.description).toBe('Required scope: `points:read` (Read loyalty points).');
    expect(Object.keys(operation.responses)).toEqual(['200', '400', '401', '403', '422', '429', '500']);

    const ofTwo = body.paths['/v1/point-owners'].get;
    expect(ofTwo['x-required-scope']).toBe('points:read leads:read');
    expect(ofTwo.security).toEqual([{ bearer: [] }, { oauth2: ['points:read', 'leads:read'] }]);
    expect(ofTwo.description).toMatch(
      /^Required scopes: `points:read` \(Read loyalty points\) and `leads:read` \(.+\)\.$/,
    );
    expect(ofTwo.responses['403'].content['application/json'].example.error.message).toBe(
      'This needs the scopes points:read and leads:read, which the credential does not have.',
    );
  });
});
