import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Person } from '../../../kernel/actor';
import { Forbidden, NotFound } from '../../../kernel/errors';
import { parseId, type UserId } from '../../../kernel/ids';
import { Mailer } from '../../../kernel/mailer';
import * as fieldRules from '../../../platform/http/field-rules';
import { FormInput } from '../../../platform/pages/form-input';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { Accounts, SignedInPerson } from '../../accounts';
import {
  CancelInvitation,
  ChangeMemberRole,
  InviteMember,
  mayManage,
  type Member,
  Members,
  RemoveMember,
  type Role,
  ROLES,
} from '../../workspaces';
import { type Area, InArea, settingsPath, SettingsPages } from './area';
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
    private readonly removeMember: RemoveMember,
    private readonly links: InvitationLinks,
    private readonly mailer: Mailer,
    private readonly pages: PageRenderer,
  ) {}

  @Get()
  async show(
    @Req() request: Request,
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
  ): Promise<void> {
    const form = new FormInput({ role: 'member' });
    await this.send(response, { area, person, form, notice: queryText(request, 'notice') });
  }

  /** A link is shown, too: the mail may not arrive, and some services send none. */
  @Post('invitations')
  async invite(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const wish = { email: form.text('email', fieldRules.email), role: roleFrom(form) };
    const done = await form.submit(async () => {
      await this.accounts.refuseTooManyInvitations(person.name, wish.email);
      return this.inviteMember.execute(area.workspace.id, person, wish);
    });
    if (!done) {
      await this.send(response, { area, person, form });
      return;
    }
    const { invitation, token } = done.result;
    const link = this.pages.addressOf(this.links.mailed(token));
    this.mailer.post(
      invitationMail(invitation, { link, inviter: person.name, workspace: area.workspace.name }),
    );
    const shown = this.pages.addressOf(this.links.shown(token));
    this.pages.send(
      response,
      <InvitedPage area={area} email={invitation.email} link={shown} mailReach={this.mailer.reach} />,
      201,
    );
  }

  @Post('invitations/:invitation/cancel')
  async cancel(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('invitation') id: string,
  ): Promise<void> {
    const invitationId = parseId('inv', id);
    if (!invitationId) throw new NotFound('invitation');
    await this.cancelInvitation.execute(area.workspace.id, person, invitationId);
    this.pages.redirect(response, `${settingsPath(area, 'members')}?notice=cancelled`);
  }

  @Post(':user/role')
  async changeRole(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('user') user: string,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const role = roleFrom(form);
    const done = await form.submit(() =>
      this.changeMemberRole.execute(area.workspace.id, person, userId(user), role),
    );
    if (done) this.pages.redirect(response, `${settingsPath(area, 'members')}?notice=role-changed`);
    else await this.send(response, { area, person, form: new FormInput({ role: 'member' }), faulty: form });
  }

  @Get(':user/remove')
  async confirmRemoval(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('user') user: string,
  ): Promise<void> {
    await this.sendRemoval(response, { area, person, user, form: new FormInput() });
  }

  @Post(':user/remove')
  async remove(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('user') user: string,
    @Submitted() form: FormInput,
  ): Promise<void> {
    const id = userId(user);
    const done = await form.submit(() => this.removeMember.execute(area.workspace.id, person, id));
    if (!done) await this.sendRemoval(response, { area, person, user, form });
    else if (id === person.id) this.pages.redirect(response, '/settings');
    else this.pages.redirect(response, `${settingsPath(area, 'members')}?notice=removed`);
  }

  private async send(
    response: Response,
    page: { area: Area; person: Person; form: FormInput; faulty?: FormInput; notice?: string },
  ): Promise<void> {
    const everyone = await this.members.list(page.area.workspace.id);
    const isFaulty = page.form.isFaulty || page.faulty?.isFaulty;
    const { reach } = this.mailer;
    this.pages.send(
      response,
      <MembersPage {...page} {...everyone} mailReach={reach} />,
      isFaulty ? 422 : 200,
    );
  }

  private async sendRemoval(
    response: Response,
    { user, ...page }: { area: Area; person: Person; user: string; form: FormInput },
  ): Promise<void> {
    const member = await this.find(page.area, userId(user));
    if (member.userId !== page.person.id && !mayManage(page.area.role, member.role)) {
      throw new Forbidden('You may not remove this member. Ask an owner.');
    }
    this.pages.send(response, <RemoveMemberPage {...page} member={member} />, page.form.isFaulty ? 422 : 200);
  }

  private async find({ workspace }: Area, id: UserId): Promise<Member> {
    const { members } = await this.members.list(workspace.id);
    const member = members.find((each) => each.userId === id);
    if (!member) throw new NotFound('member');
    return member;
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
