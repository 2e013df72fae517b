import { Controller, Get } from '@nestjs/common';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Pages } from '../../../platform/pages/pages.decorator';
import { SessionGuard, SignedInUser, type User } from '../../accounts';
import { settingsPath } from '../../shell';
import { Members } from '../application/members';
import { WorkspacesPage } from './workspaces-page';

/** Leads to the visitor's only workspace, or to a list of several. */
@Controller()
@Pages({ visitor: [SessionGuard] })
export class HomeController {
  constructor(private readonly members: Members) {}

  @Get()
  start(): Redirect {
    return new Redirect('/settings');
  }

  @Get('settings')
  async choose(@SignedInUser() user: User): Promise<PageAnswer> {
    const memberships = await this.members.workspacesOf(user.id);
    const [only, ...others] = memberships;
    if (only && others.length === 0) return new Redirect(settingsPath(only));
    return new HtmlPage(<WorkspacesPage email={user.email} memberships={memberships} />);
  }
}
