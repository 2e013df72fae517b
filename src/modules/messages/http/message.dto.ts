import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { LeadId } from '../../../kernel/ids';
import { Check, type CheckOptions } from '../../../platform/http/check';
import { Field } from '../../../platform/http/field';
import { idOf, object, oneOf, rule, text, textList } from '../../../platform/http/field-rules';
import { PageQuery } from '../../../platform/http/page-query';
import { PathId } from '../../../platform/http/path-id';
import { QueryParameter } from '../../../platform/http/query-parameter';
import { TIME, TIME_OR_NULL } from '../../../platform/openapi/common-responses';
import type { ConsentView } from '../application/change-consent';
import type { MessageFilter } from '../application/message-queries';
import {
  type Direction,
  DIRECTIONS,
  MAX_TEXT,
  type Media,
  type MessageView,
  type Origin,
  ORIGINS,
  type Status,
  STATUSES,
  type TemplateUse,
} from '../domain/message';
import type { MessageError } from '../domain/message-error';

export const MESSAGE = new PathId('msg', 'message');
export const LEAD = new PathId('lead', 'lead');
const EXAMPLE_PHONE = '+34600123456';
const MAX_VARIABLES = 100;

class TemplateBody {
  @Field({ rule: text(512), presence: 'required', example: 'visit_reminder' }) name!: string;

  @Field({
    rule: text(20),
    presence: 'required',
    description: 'As WhatsApp writes it: `en`, `es_ES`.',
    example: 'en',
  })
  language!: string;

  @Field({
    rule: textList(1024, MAX_VARIABLES),
    presence: 'nullable',
    description: 'In the order in which the template names them, those of its header first.',
    example: ['Ana', 'Friday at 18:00'],
  })
  variables?: string[] | null;
}

const textOrTemplate: CheckOptions<{ text?: string | null; template?: object | null }> = {
  fields: ['text', 'template'],
  problems: ({ text, template }) => {
    if (typeof text === 'string' && template) {
      return [{ field: 'template', message: 'can’t be given together with text' }];
    }
    return typeof text === 'string' || template
      ? []
      : [{ field: 'text', message: 'is required, unless there is a template' }];
  },
  schema: {
    oneOf: [
      { required: ['text'], properties: { text: { type: 'string' } } },
      { required: ['template'], properties: { template: { type: 'object' } } },
    ],
  },
};

@Check(textOrTemplate)
export class SendMessageBody {
  @Field({
    rule: idOf('lead'),
    presence: 'required',
    description: 'Whom to write to: by phone, or without one by the lead’s user id.',
    example: LEAD.example,
  })
  leadId!: LeadId;

  @Field({
    rule: text(MAX_TEXT),
    presence: 'nullable',
    description: 'Free text, for 24 hours after the lead’s last message. Either this or `template`.',
    example: 'Hi Ana, the garden is free on 12 June. Would you like to see it?',
  })
  text?: string | null;

  @Field({
    rule: object(() => TemplateBody),
    presence: 'nullable',
    description: 'An approved text, which may be sent at any time.',
  })
  template?: TemplateBody | null;

  @Field({
    rule: rule({ type: 'boolean' }, (value) =>
      typeof value === 'boolean' ? undefined : 'must be true or false',
    ),
    presence: 'nullable',
    description:
      'Whether a program writes it by itself, such as a confirmation of receipt. It then counts as no response to the lead.',
    default: false,
  })
  automatic?: boolean | null;
}

export const SORTS = ['createdAt', '-createdAt'] as const;

export class ListMessagesQuery extends PageQuery {
  @QueryParameter({ rule: idOf('lead'), description: 'Of that lead.', example: LEAD.example })
  leadId?: LeadId;
  @QueryParameter({ rule: oneOf(DIRECTIONS), description: 'Sent, or received.' }) direction?: Direction;
  @QueryParameter({ rule: oneOf(STATUSES), description: 'With that status.' }) status?: Status;
  @QueryParameter({
    rule: oneOf(SORTS),
    default: '-createdAt',
    description: '`-` in front: newest first.',
  })
  sort?: (typeof SORTS)[number];
}

export function toMessageFilter({
  leadId,
  direction,
  status,
}: Pick<ListMessagesQuery, 'leadId' | 'direction' | 'status'>): MessageFilter {
  return {
    ...(leadId !== undefined && { leadId }),
    ...(direction && { direction }),
    ...(status && { status }),
  };
}

class TemplateResponse implements TemplateUse {
  @ApiProperty() name!: string;
  @ApiProperty() language!: string;
  @ApiProperty({ type: [String] }) variables!: string[];
}

class MediaResponse implements Media {
  @ApiProperty({ description: 'Under which the channel keeps the file.' }) id!: string;
  @ApiProperty({ type: String, nullable: true }) mimeType!: string | null;
  @ApiProperty({ type: String, nullable: true }) filename!: string | null;
}

class MessageErrorResponse implements MessageError {
  @ApiProperty({ example: 'undeliverable' }) code!: string;
  @ApiProperty({ description: 'In words, with what to do.' }) message!: string;
}

const instant = (description: string): PropertyDecorator => ApiProperty({ ...TIME_OR_NULL, description });

@ApiSchema({ name: 'Message' })
export class MessageResponse implements Record<keyof MessageView, unknown> {
  @ApiProperty({ example: MESSAGE.example }) id!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null when no lead has the number or user id.',
    example: LEAD.example,
  })
  leadId!: string | null;

  @ApiProperty({ enum: [...DIRECTIONS], example: 'outbound' }) direction!: Direction;
  @ApiProperty({
    enum: [...ORIGINS],
    description: '`web`: a question on a proposal’s page. All others of test mode are `simulator`.',
    example: 'whatsapp',
  })
  channel!: Origin;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The other side’s number. Null for someone known by `channelUserId` alone, and in the answer to a caller without `messages:read` and `leads:read`.',
    example: EXAMPLE_PHONE,
  })
  phone!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The channel’s id of the other side, such as a WhatsApp business-scoped user id. Null for messages sent by phone, and where the channel names none.',
    example: null,
  })
  channelUserId!: string | null;

  @ApiProperty({
    description: '`text`, `template`, or the kind of what came in, such as `image`.',
    example: 'text',
  })
  type!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What it says, or what it shows in words.',
    example: 'Hi Ana, the garden is free on 12 June. Would you like to see it?',
  })
  text!: string | null;

  @ApiProperty({ type: TemplateResponse, nullable: true, example: null }) template!: TemplateResponse | null;
  @ApiProperty({ type: MediaResponse, nullable: true, example: null }) media!: MediaResponse | null;
  @ApiProperty({
    description:
      'Whether a program wrote it by itself: it then counts as no response to the lead. Of received messages false.',
    example: false,
  })
  automatic!: boolean;
  @ApiProperty({ enum: [...STATUSES], description: 'Never goes back.', example: 'queued' }) status!: Status;

  @ApiProperty({
    type: MessageErrorResponse,
    nullable: true,
    description: 'Why it failed.',
    example: null,
  })
  error!: MessageErrorResponse | null;

  @ApiProperty(TIME) createdAt!: Date;
  @instant('When the channel took it; of a received one, when it was written.') sentAt!: Date | null;
  @instant('When it reached the phone.') deliveredAt!: Date | null;
  @instant('When it was read, where that is shared.') readAt!: Date | null;
  @instant('When it failed.') failedAt!: Date | null;
}

@ApiSchema({ name: 'Consent' })
export class ConsentResponse implements Record<keyof ConsentView, unknown> {
  @ApiProperty({ type: String, nullable: true, example: LEAD.example }) leadId!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Consent is kept by number. Null for someone known by `channelUserId` alone, and in the answer to a caller without `messages:read` and `leads:read`.',
    example: EXAMPLE_PHONE,
  })
  phone!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The channel’s id of someone known by it.',
    example: null,
  })
  channelUserId!: string | null;
  @ApiProperty({ ...TIME, nullable: true, description: 'Null: the lead may be written to.' })
  optedOutAt!: Date | null;
}
