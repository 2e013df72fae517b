import { Injectable } from '@nestjs/common';
import { ValidationFailed } from '../../../kernel/errors';
import { type Account, type Credentials, ProviderAccounts } from '../application/connection';
import type { Template } from '../domain/template';
import { type ApiAnswer, NoAnswer, WhatsAppApi } from './whatsapp-api';
import { errorCode } from './whatsapp-channel';
import { explain } from '../domain/whatsapp-errors';

const MAX_PAGES = 20;
const NUMBER_FIELDS = 'display_phone_number,verified_name';
const TEMPLATE_FIELDS = 'name,language,status,components';

interface Component {
  type?: string;
  format?: string;
  text?: string;
  buttons?: { type?: string; url?: string }[];
}

@Injectable()
export class WhatsAppAccounts extends ProviderAccounts {
  constructor(private readonly api: WhatsAppApi) {
    super();
  }

  async describe({ phoneNumberId, accessToken }: Credentials): Promise<Account> {
    const body = await this.get(`/${phoneNumberId}?fields=${NUMBER_FIELDS}`, accessToken, 'phoneNumberId');
    const { display_phone_number: displayPhone, verified_name: verifiedName } = body;
    if (typeof displayPhone !== 'string') {
      throw new ValidationFailed({ field: 'phoneNumberId', message: 'is not the id of a phone number' });
    }
    return { displayPhone, verifiedName: typeof verifiedName === 'string' ? verifiedName : null };
  }

  async templates({ businessAccountId, accessToken }: Credentials): Promise<Template[]> {
    const templates: Template[] = [];
    let after = '';
    for (let page = 0; page < MAX_PAGES; page++) {
      const path = `/${businessAccountId}/message_templates?fields=${TEMPLATE_FIELDS}&limit=100${after}`;
      const { data, paging } = await this.get(path, accessToken, 'businessAccountId');
      if (!Array.isArray(data)) {
        throw new ValidationFailed({
          field: 'businessAccountId',
          message: 'is not the id of a WhatsApp business account',
        });
      }
      templates.push(...(data as Record<string, unknown>[]).flatMap(toTemplate));
      const next = paging as { next?: string; cursors?: { after?: string } } | undefined;
      if (!next?.next || !next.cursors?.after) break;
      after = `&after=${encodeURIComponent(next.cursors.after)}`;
    }
    return templates;
  }

  private async get(path: string, accessToken: string, field: keyof Credentials) {
    const refuse = (at: keyof Credentials, message: string) => new ValidationFailed({ field: at, message });
    let answer: ApiAnswer;
    try {
      answer = await this.api.get(path, accessToken);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      throw refuse(field, 'can’t be checked: WhatsApp doesn’t answer at the moment; try again later');
    }
    const { status, body } = answer;
    if (status === 200 && body) return body;
    const code = errorCode(body);
    if (code === undefined || status === 429 || (status >= 500 && code < 100)) {
      throw refuse(field, `can’t be checked: WhatsApp answered ${status}; try again later`);
    }
    const isToken = code === 0 || code === 190 || code === 10 || (code >= 200 && code <= 299);
    if (isToken) throw refuse('accessToken', `is refused: ${explain(code).message}`);
    throw refuse(field, `is not known to WhatsApp, or not to this access token (WhatsApp ${code})`);
  }
}

function toTemplate(item: Record<string, unknown>): Template[] {
  const { name, language, status } = item;
  if (typeof name !== 'string' || typeof language !== 'string') return [];
  const components = (Array.isArray(item.components) ? item.components : []) as Component[];
  const part = (type: string) => components.find((each) => each.type === type);
  const header = part('HEADER');
  const body = part('BODY')?.text ?? '';
  return [
    {
      name,
      language,
      status: typeof status === 'string' ? status : 'UNKNOWN',
      body,
      headerVariables: variablesIn(header?.text ?? ''),
      bodyVariables: variablesIn(body),
      obstacle: obstacleIn(components, header),
    },
  ];
}

/** The distinct variables of a text, such as `{{1}}` or `{{first_name}}`, in its order. */
function variablesIn(text: string): string[] {
  const names = [...text.matchAll(/\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g)].map(([, name]) => name!);
  const unique = [...new Set(names)];
  // Numbered variables are filled in the order of their numbers.
  return unique.every((name) => /^\d+$/.test(name)) ? unique.sort((a, b) => Number(a) - Number(b)) : unique;
}

function obstacleIn(components: Component[], header: Component | undefined): string | null {
  if (header?.format && header.format !== 'TEXT') {
    return `has a header of the kind ${header.format.toLowerCase()}, which can’t be sent from here`;
  }
  const buttons = components.flatMap((each) => each.buttons ?? []);
  const isVariable = ({ type, url }: { type?: string; url?: string }) =>
    url?.includes('{{') === true || ['COPY_CODE', 'OTP', 'FLOW', 'CATALOG', 'MPM'].includes(type ?? '');
  return buttons.some(isVariable) ? 'has buttons that need values, which can’t be sent from here' : null;
}
