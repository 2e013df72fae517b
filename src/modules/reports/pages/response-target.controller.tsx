import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, refOf, SettingsPages, settingsPath } from '../../shell';
import { ResponseTargets } from '../application/response-targets';
import { ResponseTargetPage } from './response-target-page';

/** Settings → Sales → Response target. */
@Controller('settings/:workspace/:mode/response-target')
@SettingsPages('admin')
export class ResponseTargetPagesController {
  constructor(private readonly targets: ResponseTargets) {}

  @Get()
  async show(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    const { minutes } = await this.targets.get(refOf(area));
    const form = new FormInput({ minutes: minutes === null ? '' : String(minutes) });
    const notice = queryText(request, 'notice');
    return new HtmlPage(<ResponseTargetPage area={area} form={form} notice={notice} />);
  }

  @Post()
  async change(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const typed = form.value('minutes').trim();
    const minutes = typed === '' ? null : /^\d{1,9}$/.test(typed) ? Number(typed) : NaN;
    const done = await form.submit(() => this.targets.change(refOf(area), person, minutes));
    if (done) return savedIn(area, 'saved');
    return new HtmlPage(<ResponseTargetPage area={area} form={form} />, 422);
  }

  /** Replaces the live target by the sandbox's. */
  @Post('copy')
  async copy(@InArea() area: Area, @SignedInPerson() person: Person): Promise<Redirect> {
    if (area.mode !== 'live') throw new NotFound('page');
    const { minutes } = await this.targets.get({ ...refOf(area), mode: 'test' });
    await this.targets.change(refOf(area), person, minutes);
    return savedIn(area, 'copied');
  }
}

function savedIn(area: Area, notice: string): Redirect {
  return new Redirect(`${settingsPath(area, `${area.mode}/response-target`)}?notice=${notice}`);
}
