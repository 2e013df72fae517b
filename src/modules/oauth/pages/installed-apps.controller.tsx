import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { NotFound } from '../../../kernel/errors';
import { type InstallationId, parseId } from '../../../kernel/ids';
import { ScopeRegistry } from '../../../kernel/scope-registry';
import { HtmlPage, Redirect } from '../../../platform/pages/page-answer';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, refOf, SettingsPages, settingsPath } from '../../shell';
import { InstallationRepository } from '../application/installation-repository';
import { UninstallApp } from '../application/uninstall-app';
import { AppsPage, RemoveAppPage } from './installed-apps-pages';

/** Settings → Integrations → Installed apps. */
@Controller('settings/:workspace/:mode/apps')
@SettingsPages('admin')
export class InstalledAppsController {
  constructor(
    private readonly installations: InstallationRepository,
    private readonly uninstallApp: UninstallApp,
    private readonly scopes: ScopeRegistry,
  ) {}

  @Get()
  async list(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    const apps = await this.installations.list(refOf(area));
    const words = new Map(this.scopes.entries());
    const notice = queryText(request, 'notice');
    return new HtmlPage(<AppsPage area={area} apps={apps} words={words} notice={notice} />);
  }

  @Get(':installation/remove')
  async confirmRemoval(@InArea() area: Area, @Param('installation') id: string): Promise<HtmlPage> {
    const app = await this.installations.find(refOf(area), installationId(id));
    if (!app) throw new NotFound('app in this workspace');
    return new HtmlPage(<RemoveAppPage area={area} app={app} />);
  }

  @Post(':installation/remove')
  async remove(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Param('installation') id: string,
  ): Promise<Redirect> {
    await this.uninstallApp.execute(refOf(area), person, installationId(id));
    return new Redirect(`${settingsPath(area, `${area.mode}/apps`)}?notice=removed`);
  }
}

function installationId(text: string): InstallationId {
  const id = parseId('inst', text);
  if (!id) throw new NotFound('app in this workspace');
  return id;
}
