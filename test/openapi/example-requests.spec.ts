import { Client } from '../support/http-client';
import { startGala, type TestGala } from '../support/start-gala';
import { type Document, type Operation, operationsOf, resolve } from './schema-validator';

/** A PNG of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
let gala: TestGala;
let document: Document;
let key: string;
beforeAll(async () => {
  gala = await startGala();
  document = (await gala.anonymous.get('/openapi.json')).body;
  key = await (await gala.createWorkspace()).key('test');
});
afterAll(() => gala.stop());

/** Sends an operation as an API client does that imports the document: with the examples of what it requires. */
function send({ path, method, operation }: Operation) {
  const parameters = (operation.parameters ?? []).map((parameter: object) => resolve(document, parameter));
  const valueOf = ({ example, schema }: any): string => String(example ?? schema.examples?.[0]);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    valueOf(parameters.find((parameter: any) => parameter.in === 'path' && parameter.name === name)),
  );
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    if (parameter.in === 'query' && parameter.required) query.append(parameter.name, valueOf(parameter));
  }
  const client = new Client(gala.baseUrl, operation.security.length > 0 ? key : undefined);
  const content = operation.requestBody?.content ?? {};
  const type = content['application/json'] ? 'application/json' : Object.keys(content)[0];
  const { example, schema } = content[type!] ?? {};
  const body = schema?.format === 'binary' ? PICTURE : example;
  return client.request(method.toUpperCase(), `${filled}?${query.toString()}`, body, {
    headers: { ...(type && { 'Content-Type': type }) },
  });
}

test('every operation is understood with the examples of the document', async () => {
  const wrong: string[] = [];
  for (const each of operationsOf(document)) {
    const { status, text } = await send(each);
    const isOfApp = each.operation.security.length === 0 && each.method === 'post';
    // No object has an id of the examples, and no app either. Any other refusal is a fault of the example.
    const isRight =
      status === 200 || status === 201 || (isOfApp ? status === 401 : /no such|"field":"\w+Id"/i.test(text));
    if (!isRight) wrong.push(`${each.operation.operationId}: ${status} ${text}`);
  }
  expect(wrong).toEqual([]);
});
