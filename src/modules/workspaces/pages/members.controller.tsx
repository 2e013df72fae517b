import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { Forbidden, NotFound } from '../../../kernel/errors';
import { parseId, type UserId } from '../../../kernel/ids';
import { MailQueue } from '../../../kernel/mail-queue';
import { Mailer } from '../../../kernel/mailer';
import { type Role, ROLES } from '../../../kernel/role';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { Configuration } from '../../../platform/config/configuration';
import { addressOf } from '../../../platform/config/public-address';
import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { Accounts, SignedInPerson } from '../../accounts';
import { type Area, InArea, SettingsPages, settingsPath } from '../../shell';
import { CancelInvitation } from '../application/cancel-invitation';
import { ChangeMemberRole } from '../application/change-member-role';
import { InviteMember } from '../application/invite-member';
import { Members } from '../application/members';
import { PauseMember } from '../application/pause-member';
import { RemoveMember } from '../application/remove-member';
import type { IssuedInvitation } from '../domain/invitation';
import { mayManage } from '../domain/role';
import { InvitationLinks } from './invitation-links';
import { invitationMail } from './invitation-mail';
import { InvitedPage, MembersPage, RemoveMemberPage } from './members-pages';

@Controller('settings/:workspace/members')
@SettingsPages('member')
export class MembersController {
  constructor(
    private readonly members: Members,
    private readonly accounts: Accounts,
    private readonly inviteMember: InviteMember,
    private readonly cancelInvitation: CancelInvitation,
    private readonly changeMemberRole: ChangeMemberRole,
    private readonly pauseMember: PauseMember,
    private readonly removeMember: RemoveMember,
    private readonly links: InvitationLinks,
    private readonly mailer: Mailer,
    private readonly mails: MailQueue,
    private readonly unitOfWork: UnitOfWork,
    private readonly configuration: Configuration,
  ) {}

  @Get()
  show(@Req() request: Request, @InArea() area: Area, @SignedInPerson() person: Person): Promise<HtmlPage> {
    const form = new FormInput({ role: 'member' });
    return this.overview({ area, person, form, notice: queryText(request, 'notice') });
  }

  /** Shows a link as well: the email may not arrive, and some servers send none. */
  @Post('invitations')
  async invite(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<HtmlPage> {
    const input = { email: form.text('email', fieldRules.email), role: roleFrom(form) };
    const done = await form.submit(async () => {
      await this.accounts.refuseTooManyInvitations(person.name, input.email);
      return this.unitOfWork.run(async () => {
        const issued = await this.inviteMember.execute(area.workspace.id, person, input);
        await this.mailInvitation(area, person, issued);
        return issued;
      });
    });
    if (!done) return this.overview({ area, person, form });
    const { invitation, token } = done.result;
    const shown = addressOf(this.configuration.publicUrl, this.links.shown(token));
    return new HtmlPage(
      <InvitedPage area={area} email={invitation.email} link={shown} mailReach={this.mailer.reach} />,
      201,
    );
  }

  @Post('invitations/:invitation/cancel')
  async cancel(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('invitation') id: string,
  ): Promise<Redirect> {
    const invitationId = parseId('inv', id);
    if (!invitationId) throw new NotFound('invitation');
    await this.cancelInvitation.execute(area.workspace.id, person, invitationId);
    return new Redirect(`${settingsPath(area, 'members')}?notice=cancelled`);
  }

  @Post(':user/role')
  async changeRole(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('user') user: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const role = roleFrom(form);
    const done = await form.submit(() =>
      this.changeMemberRole.execute(area.workspace.id, person, userId(user), role),
    );
    if (done) return new Redirect(`${settingsPath(area, 'members')}?notice=role-changed`);
    return this.overview({ area, person, form: new FormInput({ role: 'member' }), faulty: form });
  }

  @Post(':user/pause')
  async pause(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('user') user: string,
  ): Promise<Redirect> {
    await this.pauseMember.execute(area.workspace.id, person, userId(user), true);
    return new Redirect(`${settingsPath(area, 'members')}?notice=paused`);
  }

  @Post(':user/resume')
  async resume(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('user') user: string,
  ): Promise<Redirect> {
    await this.pauseMember.execute(area.workspace.id, person, userId(user), false);
    return new Redirect(`${settingsPath(area, 'members')}?notice=resumed`);
  }

  @Get(':user/remove')
  confirmRemoval(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('user') user: string,
  ): Promise<HtmlPage> {
    return this.removal({ area, person, user, form: new FormInput() });
  }

  @Post(':user/remove')
  async remove(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('user') user: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const id = userId(user);
    const successor = form.optional('successor', fieldRules.idOf('user')) as UserId | null;
    const done = await form.submit(() => this.removeMember.execute(area.workspace.id, person, id, successor));
    if (!done) return this.removal({ area, person, user, form });
    if (id === person.id) return new Redirect('/settings');
    return new Redirect(`${settingsPath(area, 'members')}?notice=removed`);
  }

  private mailInvitation(area: Area, person: Person, { invitation, token }: IssuedInvitation): Promise<void> {
    const link = addressOf(this.configuration.publicUrl, this.links.mailed(token));
    const context = { link, inviter: person.name, workspace: area.workspace.name };
    const mail = invitationMail(invitation, context);
    return this.mails.add(mail, { expiresAt: invitation.expiresAt });
  }

  private async overview(page: {
    area: Area;
    person: Person;
    form: FormInput;
    faulty?: FormInput;
    notice?: string;
  }): Promise<HtmlPage> {
    const everyone = await this.members.list(page.area.workspace.id);
    const isFaulty = page.form.isFaulty || page.faulty?.isFaulty;
    const { reach } = this.mailer;
    return new HtmlPage(<MembersPage {...page} {...everyone} mailReach={reach} />, isFaulty ? 422 : 200);
  }

  private async removal({
    user,
    ...page
  }: {
    area: Area;
    person: Person;
    user: string;
    form: FormInput;
  }): Promise<HtmlPage> {
    const { members } = await this.members.list(page.area.workspace.id);
    const member = members.find((each) => each.userId === userId(user));
    if (!member) throw new NotFound('member');
    if (member.userId !== page.person.id && !mayManage(page.area.role, member.role)) {
      throw new Forbidden('Only owners can remove this member.');
    }
    const others = members.filter((each) => each !== member);
    const props = { ...page, member, others };
    return new HtmlPage(<RemoveMemberPage {...props} />, page.form.isFaulty ? 422 : 200);
  }
}

function roleFrom(form: FormInput): Role {
  return form.text('role', fieldRules.oneOf(ROLES)) as Role;
}

function userId(text: string): UserId {
  const id = parseId('user', text);
  if (!id) throw new NotFound('member');
  return id;
}
