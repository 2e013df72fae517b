import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { Pages } from '../../../platform/pages/pages.decorator';
import { SessionGuard, SignedInUser, type User } from '../../accounts';
import { Members } from '../../workspaces';
import { settingsPath } from './area';
import { WorkspacesPage } from './workspaces-page';

/** The way in: to the only workspace, or to a choice among several. */
@Controller()
@Pages({ visitor: [SessionGuard] })
export class HomeController {
  constructor(
    private readonly members: Members,
    private readonly pages: PageRenderer,
  ) {}

  @Get()
  start(@Res() response: Response): void {
    this.pages.redirect(response, '/settings');
  }

  @Get('settings')
  async choose(@Res() response: Response, @SignedInUser() user: User): Promise<void> {
    const memberships = await this.members.workspacesOf(user.id);
    const [only, ...others] = memberships;
    if (only && others.length === 0) this.pages.redirect(response, settingsPath(only));
    else this.pages.send(response, <WorkspacesPage email={user.email} memberships={memberships} />);
  }
}
