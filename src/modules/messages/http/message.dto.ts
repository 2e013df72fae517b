import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { LeadId } from '../../../kernel/ids';
import { Check, type CheckOptions } from '../../../platform/http/check';
import { Field, NestedField } from '../../../platform/http/field';
import { idOf, oneOf, type Rule, text, textList } from '../../../platform/http/field-rules';
import { PageQuery } from '../../../platform/http/page-query';
import { parameter } from '../../../platform/http/parameter-rules';
import { ApiProperty, ApiSchema } from '../../../platform/openapi/decorators';
import type { ConsentView } from '../application/change-consent';
import {
  type ChannelName,
  CHANNELS,
  type Direction,
  DIRECTIONS,
  type Media,
  type MessageView,
  type Status,
  STATUSES,
  type TemplateUse,
} from '../domain/message';
import type { MessageError } from '../domain/message-error';

export const EXAMPLE_MESSAGE_ID = 'msg_01h455vb4pex5vsknk084sn02q';
export const EXAMPLE_LEAD_ID = 'lead_01h455vb4pex5vsknk084sn02q';
const EXAMPLE_PHONE = '+34600123456';
const EXAMPLE_TIME = '2027-01-15T09:30:00.000Z';
const MAX_TEXT = 4096;
const MAX_VARIABLE = 1024;
const MAX_VARIABLES = 100;

class TemplateBody {
  @Field({ rule: text(512), presence: 'required', schema: { type: String, example: 'visit_reminder' } })
  name!: string;

  @Field({
    rule: text(20),
    presence: 'required',
    schema: { type: String, description: 'As WhatsApp writes it: `en`, `es_ES`.', example: 'en' },
  })
  language!: string;

  @Field({
    rule: textList(MAX_VARIABLE),
    presence: 'nullable',
    schema: {
      type: [String],
      maxItems: MAX_VARIABLES,
      description: 'In the order in which the template names them, those of its header first.',
      example: ['Ana', 'Friday at 18:00'],
    },
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
    schema: {
      type: String,
      description: 'Whom to write to: by phone, or without one by the lead’s user id.',
      example: EXAMPLE_LEAD_ID,
    },
  })
  leadId!: LeadId;

  @Field({
    rule: text(MAX_TEXT),
    presence: 'nullable',
    schema: {
      type: String,
      minLength: 1,
      maxLength: MAX_TEXT,
      description: 'Free text, for 24 hours after the lead’s last message. Either this or `template`.',
      example: 'Hi Ana, the garden is free on 12 June. Would you like to see it?',
    },
  })
  text?: string | null;

  @NestedField({ type: () => TemplateBody, description: 'An approved text, which may be sent at any time.' })
  template?: TemplateBody | null;
}

const filter = (rule: Rule, schema: ApiPropertyOptions) =>
  Field({ rule: parameter(rule), presence: 'optional', schema });

export const SORTS = ['createdAt', '-createdAt'] as const;

export class ListMessagesQuery extends PageQuery {
  @filter(idOf('lead'), { type: String, description: 'Of that lead.', example: EXAMPLE_LEAD_ID })
  leadId?: LeadId;
  @filter(oneOf(DIRECTIONS), { enum: [...DIRECTIONS], description: 'Sent, or received.' })
  direction?: Direction;
  @filter(oneOf(STATUSES), { enum: [...STATUSES], description: 'With that status.' }) status?: Status;
  @filter(oneOf(SORTS), {
    enum: [...SORTS],
    default: '-createdAt',
    description: '`-` in front: newest first.',
  })
  sort?: (typeof SORTS)[number];
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

const instant = (description: string, example: string | null = null): PropertyDecorator =>
  ApiProperty({ type: String, format: 'date-time', nullable: true, description, example });

@ApiSchema({ name: 'Message' })
export class MessageResponse implements Record<keyof MessageView, unknown> {
  @ApiProperty({ example: EXAMPLE_MESSAGE_ID }) id!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null when no lead has the number or user id.',
    example: EXAMPLE_LEAD_ID,
  })
  leadId!: string | null;

  @ApiProperty({ enum: [...DIRECTIONS], example: 'outbound' }) direction!: Direction;
  @ApiProperty({ enum: [...CHANNELS], description: 'In test mode always `simulator`.', example: 'whatsapp' })
  channel!: ChannelName;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The other side’s number. Null for someone known by `channelUserId` alone.',
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
  @ApiProperty({ enum: [...STATUSES], description: 'Never goes back.', example: 'queued' }) status!: Status;

  @ApiProperty({
    type: MessageErrorResponse,
    nullable: true,
    description: 'Why it failed.',
    example: null,
  })
  error!: MessageErrorResponse | null;

  @ApiProperty({ type: String, format: 'date-time', example: EXAMPLE_TIME }) createdAt!: Date;
  @instant('When the channel took it; of a received one, when it was written.') sentAt!: Date | null;
  @instant('When it reached the phone.') deliveredAt!: Date | null;
  @instant('When it was read, where that is shared.') readAt!: Date | null;
  @instant('When it failed.') failedAt!: Date | null;
}

@ApiSchema({ name: 'Consent' })
export class ConsentResponse implements Record<keyof ConsentView, unknown> {
  @ApiProperty({ type: String, nullable: true, example: EXAMPLE_LEAD_ID }) leadId!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Consent is kept by number. Null for someone known by `channelUserId` alone.',
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
  @instant('Null: the lead may be written to.', EXAMPLE_TIME) optedOutAt!: Date | null;
}
