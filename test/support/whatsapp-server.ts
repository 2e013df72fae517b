import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Ajv from 'ajv';
import { type Answer, Client } from './http-client';
import { until } from './until';

export const CREDENTIALS = {
  phoneNumberId: '106540352242922',
  businessAccountId: '102290129340398',
  accessToken: 'EAAJBtest-token-of-a-system-user',
  appSecret: '0123456789abcdef0123456789abcdef',
};

/** By the reference of POST /<phone number id>/messages: whatever else is in a request is refused. */
const TEXT_PARAMETER = {
  type: 'object',
  properties: {
    type: { const: 'text' },
    text: { type: 'string', minLength: 1, maxLength: 1024 },
    parameter_name: { type: 'string', pattern: '^[a-z][a-z0-9_]*$' },
  },
  required: ['type', 'text'],
  additionalProperties: false,
};
const COMMON = {
  messaging_product: { const: 'whatsapp' },
  recipient_type: { const: 'individual' },
  to: { type: 'string', pattern: '^\\+[1-9]\\d{6,14}$' },
  // By the page on business-scoped user ids.
  recipient: { type: 'string', pattern: '^[A-Z]{2}\\.(ENT\\.)?[A-Za-z0-9]{1,128}$' },
  biz_opaque_callback_data: { type: 'string', minLength: 1, maxLength: 512 },
};
const REQUIRED = ['messaging_product', 'type'];
const ONE_RECIPIENT = [{ required: ['to'] }, { required: ['recipient'] }];
const MESSAGE_SCHEMA = {
  allOf: [{ oneOf: ONE_RECIPIENT }],
  oneOf: [
    {
      type: 'object',
      properties: {
        ...COMMON,
        type: { const: 'text' },
        text: {
          type: 'object',
          properties: {
            preview_url: { type: 'boolean' },
            body: { type: 'string', minLength: 1, maxLength: 4096 },
          },
          required: ['body'],
          additionalProperties: false,
        },
      },
      required: [...REQUIRED, 'text'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: {
        ...COMMON,
        type: { const: 'template' },
        template: {
          type: 'object',
          properties: {
            name: { type: 'string', pattern: '^[a-z0-9_]{1,512}$' },
            language: {
              type: 'object',
              properties: { code: { type: 'string', pattern: '^[a-z]{2,3}(_[A-Z]{2})?$' } },
              required: ['code'],
              additionalProperties: false,
            },
            components: {
              type: 'array',
              minItems: 1,
              items: {
                type: 'object',
                properties: {
                  type: { enum: ['header', 'body'] },
                  parameters: { type: 'array', minItems: 1, items: TEXT_PARAMETER },
                },
                required: ['type', 'parameters'],
                additionalProperties: false,
              },
            },
          },
          required: ['name', 'language'],
          additionalProperties: false,
        },
      },
      required: [...REQUIRED, 'template'],
      additionalProperties: false,
    },
  ],
};
const isMessage = new Ajv({ strict: false }).compile(MESSAGE_SCHEMA);

/** What the provider took and passes on to a phone. */
export interface Taken {
  wamid: string;
  body: any;
}

export type Reply =
  | 'take'
  /** Takes it, and the answer never arrives. */
  | 'take and hang up'
  | 'take and answer nonsense'
  | 'take and hang'
  | 'take and answer without end'
  /** Reports what became of it while the answer is still on its way. */
  | 'take and report before'
  | 'hang up'
  /** What something in between answers. */
  | 'bad gateway'
  | { status: number; code: number; retryAfter?: number };

/** Stands in for Meta's Graph API: strict about requests, and able to fail in every way that the real one fails. */
export class WhatsAppServer {
  readonly taken: Taken[] = [];
  /** Requests for messages, refused ones included. */
  attempts = 0;
  readonly faults: string[] = [];
  templates: object[] = [];
  /** How it answers the next messages; takes them when nothing is said. */
  reply: (body: any, attempt: number) => Reply | Promise<Reply> = () => 'take';
  /** What reaches the callback address before an answer. */
  reportBefore: (wamid: string, body: any) => Promise<unknown> = () => Promise.resolve();
  /** What number it knows someone by. */
  contactOf: (to: string) => string = (to) => to.slice(1);

  private constructor(private readonly server: Server) {}

  static async start(port = 0): Promise<WhatsAppServer> {
    const server = createServer();
    const whatsApp = new WhatsAppServer(server);
    server.on('request', (request, response) => void whatsApp.handle(request, response));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return whatsApp;
  }

  /** Begins anew, for the next test. */
  forget(): void {
    this.taken.length = 0;
    this.faults.length = 0;
    this.attempts = 0;
    this.templates = [];
    this.reply = () => 'take';
    this.contactOf = (to) => to.slice(1);
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async took(count: number): Promise<Taken[]> {
    await until(() => this.taken.length >= count, `the provider to take ${count} messages`);
    return this.taken;
  }

  async asked(count: number): Promise<void> {
    await until(() => this.attempts >= count, `the provider to be asked ${count} times`);
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url!, this.url);
    if (request.headers.authorization !== `Bearer ${CREDENTIALS.accessToken}`) {
      return refuse(response, 401, 190);
    }
    if (request.method === 'GET' && pathname === `/v23.0/${CREDENTIALS.phoneNumberId}`) {
      return answer(response, 200, {
        display_phone_number: '+1 555-078-3881',
        verified_name: 'Villa Aurora',
        id: CREDENTIALS.phoneNumberId,
      });
    }
    if (
      request.method === 'GET' &&
      pathname === `/v23.0/${CREDENTIALS.businessAccountId}/message_templates`
    ) {
      return this.listTemplates(response, Number(searchParams.get('after') ?? 0));
    }
    if (request.method === 'POST' && pathname === `/v23.0/${CREDENTIALS.phoneNumberId}/messages`) {
      return this.handleMessage(request, response, Buffer.concat(chunks));
    }
    refuse(response, 400, 100);
  }

  /** Two a page, so that there are several. */
  private listTemplates(response: ServerResponse, after: number): void {
    const end = after + 2;
    answer(response, 200, {
      data: this.templates.slice(after, end),
      paging: {
        cursors: { before: String(after), after: String(end) },
        ...(end < this.templates.length && { next: 'https://graph.facebook.com/next' }),
      },
    });
  }

  private async handleMessage(
    request: IncomingMessage,
    response: ServerResponse,
    bytes: Buffer,
  ): Promise<void> {
    this.attempts++;
    const body = JSON.parse(bytes.toString()) as { to?: string; recipient?: string };
    if (request.headers['content-type'] !== 'application/json' || !isMessage(body)) {
      this.faults.push(JSON.stringify(isMessage.errors));
      return refuse(response, 400, 100);
    }
    const reply = await this.reply(body, this.attempts);
    if (typeof reply === 'object') return refuse(response, reply.status, reply.code, reply.retryAfter);
    if (reply === 'hang up') return void response.destroy();
    if (reply === 'bad gateway') return void response.writeHead(502).end('<html>Bad gateway</html>');
    const wamid = `wamid.${randomBytes(24).toString('base64')}`;
    this.taken.push({ wamid, body });
    if (reply === 'take and hang up') response.destroy();
    else if (reply === 'take and answer nonsense') response.writeHead(200).end('{"messages":');
    else if (reply === 'take and answer without end') pour(response);
    else if (reply === 'take' || reply === 'take and report before') {
      if (reply === 'take and report before') await this.reportBefore(wamid, body);
      answer(response, 200, {
        messaging_product: 'whatsapp',
        contacts: [
          body.to === undefined
            ? { input: body.recipient, user_id: body.recipient }
            : { input: body.to, wa_id: this.contactOf(body.to) },
        ],
        messages: [{ id: wamid }],
      });
    }
  }
}

function answer(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function pour(response: ServerResponse): void {
  response.writeHead(200);
  const more = () => {
    if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(more));
  };
  more();
}

function refuse(response: ServerResponse, status: number, code: number, retryAfter?: number): void {
  const error = {
    message: `(#${code}) Something about it`,
    type: 'OAuthException',
    code,
    error_data: { messaging_product: 'whatsapp', details: 'Details that may quote +34600123456' },
    fbtrace_id: 'Az8or2yhqkZfEZ-_4Qn_Bam',
  };
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  answer(response, status, { error }, headers as Record<string, string>);
}

/** What the provider posts, signed by the raw bytes as it does. */
export class Callbacks {
  private readonly client: Client;

  constructor(
    baseUrl: string,
    readonly path: string,
    private readonly appSecret = CREDENTIALS.appSecret,
    private readonly phoneNumberId = CREDENTIALS.phoneNumberId,
  ) {
    this.client = new Client(baseUrl);
  }

  status(wamid: string, status: string, extra: object = {}): Promise<Answer> {
    return this.post({ statuses: [statusEntry(wamid, status, extra)] });
  }

  message(from: string, content: object, name = 'Ana Pérez'): Promise<Answer> {
    const message = { from, id: newWamid(), timestamp: seconds(), ...content };
    return this.post({ contacts: [{ profile: { name }, wa_id: from }], messages: [message] });
  }

  /** Of someone with a user id, who may show their number as well. */
  userMessage(
    userId: string,
    content: object,
    { phone, profile = { name: 'Ana Pérez' } }: { phone?: string; profile?: object } = {},
  ): Promise<Answer> {
    const message = {
      ...(phone && { from: phone }),
      ...{ from_user_id: userId, id: newWamid(), timestamp: seconds(), ...content },
    };
    return this.post({
      contacts: [{ profile, user_id: userId, ...(phone && { wa_id: phone }) }],
      messages: [message],
    });
  }

  post(value: object): Promise<Answer> {
    return this.send(Buffer.from(JSON.stringify(this.envelope(value))));
  }

  send(bytes: Buffer, headers: Record<string, string | undefined> = {}): Promise<Answer> {
    const signature = createHmac('sha256', this.appSecret).update(bytes).digest('hex');
    return this.client.post(this.path, bytes, {
      headers: { 'X-Hub-Signature-256': `sha256=${signature}`, ...headers },
    });
  }

  envelope(value: object): object {
    const metadata = { display_phone_number: '15550783881', phone_number_id: this.phoneNumberId };
    const change = { field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } };
    const entry = [{ id: CREDENTIALS.businessAccountId, changes: [change] }];
    return { object: 'whatsapp_business_account', entry };
  }
}

export function statusEntry(wamid: string, status: string, extra: object = {}): object {
  return { id: wamid, status, timestamp: seconds(), recipient_id: '34600123456', ...extra };
}

export function newWamid(): string {
  return `wamid.${randomBytes(12).toString('hex')}`;
}

export function seconds(): string {
  return String(Math.floor(Date.now() / 1000));
}
