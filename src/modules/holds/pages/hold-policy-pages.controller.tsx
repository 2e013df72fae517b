import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { calendarPath } from '../../calendar';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { ChangeHoldPolicy } from '../application/change-hold-policy';
import { HoldQueries } from '../application/hold-queries';
import { type HoldPolicy, POLICY_BOUNDS } from '../domain/hold-policy';
import { HoldPolicyPage, POLICY_NUMBERS } from './hold-policy-page';

/** Settings → Sales → Calendar → Hold policy. */
@Controller('settings/:workspace/:mode/calendar/hold-policy')
@SettingsPages('admin')
export class HoldPolicyPagesController {
  constructor(
    private readonly queries: HoldQueries,
    private readonly changePolicy: ChangeHoldPolicy,
  ) {}

  @Get()
  async show(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    return page(area, await this.present(area), { notice: queryText(request, 'notice') });
  }

  @Post()
  async change(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const numbers = Object.fromEntries(POLICY_NUMBERS.map((name) => [name, numberOf(form, name)]));
    const policy = { ...numbers, releaseOnLost: form.isChecked('releaseOnLost') } as unknown as HoldPolicy;
    const done = await form.submit(() => this.changePolicy.execute(refOf(area), person, policy));
    return done ? savedIn(area, 'saved') : page(area, form);
  }

  /** Replaces the live policy by the sandbox's. */
  @Post('copy')
  async copy(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() copying: FormInput,
  ): Promise<PageAnswer> {
    if (area.mode !== 'live') throw new NotFound('page');
    const done = await copying.submit(() => this.changePolicy.copyToLive(area.workspace.id, person));
    return done ? savedIn(area, 'copied') : page(area, await this.present(area), { copying });
  }

  private async present(area: Area): Promise<FormInput> {
    const policy = await this.queries.policy(refOf(area));
    const numbers = POLICY_NUMBERS.map((name) => [name, String(policy[name])]);
    return new FormInput({
      ...(Object.fromEntries(numbers) as Record<string, string>),
      releaseOnLost: policy.releaseOnLost ? 'yes' : undefined,
    });
  }
}

function page(
  area: Area,
  form: FormInput,
  { copying = new FormInput(), notice }: { copying?: FormInput; notice?: string } = {},
): HtmlPage {
  return new HtmlPage(
    <HoldPolicyPage area={area} form={form} copying={copying} notice={notice} />,
    form.isFaulty || copying.isFaulty ? 422 : 200,
  );
}

function numberOf(form: FormInput, name: keyof typeof POLICY_BOUNDS): number {
  const [least, most] = POLICY_BOUNDS[name];
  const rule = fieldRules.integer(least, most);
  return Number(form.text(name, (value) => rule(/^\d{1,9}$/.test(String(value)) ? Number(value) : value)));
}

function savedIn(area: Area, notice: string): Redirect {
  return new Redirect(`${calendarPath(area, 'hold-policy')}?notice=${notice}`);
}
