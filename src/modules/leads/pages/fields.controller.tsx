import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import { type LeadFieldId, parseId } from '../../../kernel/ids';
import * as fieldRules from '../../../platform/http/field-rules';
import { WaitsAtItsEnd } from '../../../platform/http/waits-at-its-end.decorator';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { ManageLeadFields } from '../application/manage-lead-fields';
import { FIELD_TYPES, type FieldType } from '../domain/field-value';
import { isFieldKey, type LeadFieldView } from '../domain/lead-field';
import { readField, valuesOf } from './field-form';
import { FieldPage } from './field-page';
import { fieldsPath } from './field-paths';
import { type FieldForms, FieldsPage } from './fields-page';
import { suggestKey } from './suggest-key';

/** Settings → Sales → Fields. */
@Controller('settings/:workspace/:mode/fields')
@SettingsPages('admin')
export class FieldsPagesController {
  constructor(private readonly manage: ManageLeadFields) {}

  @Get()
  list(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    return this.overview(area, {}, queryText(request, 'notice'));
  }

  @Post()
  @WaitsAtItsEnd()
  async add(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const type = form.text('type', fieldRules.oneOf(FIELD_TYPES)) as FieldType;
    const fields = readField(form, type);
    const key = form.optional('key', (value) =>
      isFieldKey(value) ? undefined : 'must be lower-case letters, digits and underscores',
    );
    const keys = (await this.manage.all(refOf(area))).map((field) => field.key);
    const given = { ...fields, type, key: key ?? suggestKey(fields.label, keys, 'field') };
    const done = await form.submit(() => this.manage.create(refOf(area), person, given));
    return done ? backTo(area, 'added') : this.overview(area, { add: form });
  }

  @Post('copy')
  @WaitsAtItsEnd()
  async copy(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    if (area.mode !== 'live') throw new NotFound('page');
    const done = await form.submit(() => this.manage.copyToLive(area.workspace.id, person));
    return done ? backTo(area, 'copied') : this.overview(area, { copy: form });
  }

  @Get(':field/edit')
  async show(@InArea() area: Area, @Param('field') id: string): Promise<HtmlPage> {
    const field = await this.field(area, id);
    return new HtmlPage(<FieldPage area={area} field={field} form={new FormInput(valuesOf(field))} />);
  }

  @Post(':field/edit')
  @WaitsAtItsEnd()
  async change(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('field') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const field = await this.field(area, id);
    const changes = readField(form, field.type, field.options);
    const done = await form.submit(() => this.manage.update(refOf(area), person, field.id, changes));
    return done
      ? backTo(area, 'saved')
      : new HtmlPage(<FieldPage area={area} field={field} form={form} />, 422);
  }

  @Post(':field/move')
  @WaitsAtItsEnd()
  async move(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('field') id: string,
    @Submitted() form: FormInput,
  ): Promise<Redirect> {
    await this.manage.move(refOf(area), person, fieldId(id), form.value('to') === 'up' ? -1 : 1);
    return backTo(area, 'saved');
  }

  @Post(':field/archive')
  @WaitsAtItsEnd()
  async archive(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('field') id: string,
  ): Promise<Redirect> {
    await this.manage.archive(refOf(area), person, fieldId(id));
    return backTo(area, 'archived');
  }

  @Post(':field/restore')
  @WaitsAtItsEnd()
  async restore(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('field') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const done = await form.submit(() => this.manage.restore(refOf(area), person, fieldId(id)));
    return done ? backTo(area, 'restored') : this.overview(area, { restore: form });
  }

  private async overview(area: Area, forms: FieldForms, notice?: string): Promise<HtmlPage> {
    const isFaulty = Object.values<FormInput | undefined>({ ...forms }).some((form) => form?.isFaulty);
    const fields = await this.manage.all(refOf(area));
    return new HtmlPage(
      <FieldsPage area={area} fields={fields} forms={forms} notice={notice} />,
      isFaulty ? 422 : 200,
    );
  }

  /** @throws NotFound for an archived field, which can't be changed */
  private async field(area: Area, id: string): Promise<LeadFieldView> {
    const field = await this.manage.get(refOf(area), fieldId(id));
    if (field.archivedAt) throw new NotFound('page');
    return field;
  }
}

function fieldId(text: string): LeadFieldId {
  const id = parseId('field', text);
  if (!id) throw new NotFound('page');
  return id;
}

function backTo(area: Area, notice: string): Redirect {
  return new Redirect(`${fieldsPath(area)}?notice=${notice}`);
}
