import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import { parseId } from '../../../kernel/ids';
import * as fieldRules from '../../../platform/http/field-rules';
import { WaitsAtItsEnd } from '../../../platform/http/waits-at-its-end.decorator';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, refOf, SettingsPages, settingsPath } from '../../shell';
import { Members } from '../../workspaces';
import { ChangeAssignment } from '../application/change-assignment';
import { ASSIGNMENT_POLICIES, type AssignmentPolicy } from '../domain/assignment';
import { AssignmentPage } from './assignment-page';

/** Settings → Sales → Assignment: who gets new leads. */
@Controller('settings/:workspace/:mode/assignment')
@SettingsPages('admin')
export class AssignmentController {
  constructor(
    private readonly changeAssignment: ChangeAssignment,
    private readonly members: Members,
  ) {}

  @Get()
  async show(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    return this.page(area, await this.present(area), { notice: queryText(request, 'notice') });
  }

  @Post()
  @WaitsAtItsEnd()
  async change(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const policy = form.text('policy', fieldRules.oneOf(ASSIGNMENT_POLICIES)) as AssignmentPolicy;
    const members = form.list('members').flatMap((id) => parseId('user', id) ?? []);
    const done = await form.submit(() =>
      this.changeAssignment.execute(refOf(area), person, { policy, members }),
    );
    return done ? savedIn(area, 'saved') : this.page(area, form);
  }

  /** Replaces the live assignment by the sandbox's. */
  @Post('copy')
  @WaitsAtItsEnd()
  async copy(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() copying: FormInput,
  ): Promise<PageAnswer> {
    if (area.mode !== 'live') throw new NotFound('page');
    const sandbox = await this.changeAssignment.get({ ...refOf(area), mode: 'test' });
    const done = await copying.submit(() => this.changeAssignment.execute(refOf(area), person, sandbox));
    return done ? savedIn(area, 'copied') : this.page(area, await this.present(area), { copying });
  }

  private async present(area: Area): Promise<FormInput> {
    const { policy, members } = await this.changeAssignment.get(refOf(area));
    return new FormInput({ policy, members: [...members] });
  }

  private async page(
    area: Area,
    form: FormInput,
    { copying = new FormInput(), notice }: { copying?: FormInput; notice?: string } = {},
  ): Promise<HtmlPage> {
    const { members } = await this.members.list(area.workspace.id);
    const page = (
      <AssignmentPage area={area} form={form} copying={copying} members={members} notice={notice} />
    );
    return new HtmlPage(page, form.isFaulty || copying.isFaulty ? 422 : 200);
  }
}

function savedIn(area: Area, notice: string): Redirect {
  return new Redirect(`${settingsPath(area, `${area.mode}/assignment`)}?notice=${notice}`);
}
