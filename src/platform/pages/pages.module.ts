import { Global, Module } from '@nestjs/common';
import { BrowserCookie } from './browser-cookie';
import { Cookies } from './cookies';
import { PageRenderer } from './page-renderer';

@Global()
@Module({
  providers: [BrowserCookie, Cookies, PageRenderer],
  exports: [BrowserCookie, Cookies, PageRenderer],
})
export class PagesModule {}
