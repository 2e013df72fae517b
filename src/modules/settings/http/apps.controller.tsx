import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import { type InstallationId, parseId } from '../../../kernel/ids';
import { ScopeRegistry } from '../../../kernel/scope-registry';
import { PageRenderer } from '../../../platform/pages/page-renderer';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { InstallationRepository, UninstallApp } from '../../oauth';
import { AppsPage, RemoveAppPage } from './apps-pages';
import { type Area, InArea, refOf, settingsPath, SettingsPages } from './area';

/** Settings → Integrations → Installed apps. */
@Controller('settings/:workspace/:mode/apps')
@SettingsPages('admin')
export class AppsController {
  constructor(
    private readonly installations: InstallationRepository,
    private readonly uninstallApp: UninstallApp,
    private readonly scopes: ScopeRegistry,
    private readonly pages: PageRenderer,
  ) {}

  @Get()
  async list(@Req() request: Request, @Res() response: Response, @InArea() area: Area): Promise<void> {
    const apps = await this.installations.list(refOf(area));
    const words = new Map(this.scopes.entries());
    const notice = queryText(request, 'notice');
    this.pages.send(response, <AppsPage area={area} apps={apps} words={words} notice={notice} />);
  }

  @Get(':installation/remove')
  async confirmRemoval(
    @Res() response: Response,
    @InArea() area: Area,
    @Param('installation') id: string,
  ): Promise<void> {
    const app = await this.installations.find(refOf(area), installationId(id));
    if (!app) throw new NotFound('app in this workspace');
    this.pages.send(response, <RemoveAppPage area={area} app={app} />);
  }

  @Post(':installation/remove')
  async remove(
    @Res() response: Response,
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('installation') id: string,
  ): Promise<void> {
    await this.uninstallApp.execute(refOf(area), person, installationId(id));
    this.pages.redirect(response, `${settingsPath(area, `${area.mode}/apps`)}?notice=removed`);
  }
}

function installationId(text: string): InstallationId {
  const id = parseId('inst', text);
  if (!id) throw new NotFound('app in this workspace');
  return id;
}
