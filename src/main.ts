import './platform/tracing/start';
import { exitWithMessage } from './exit-with-message';
import { startService } from './service';

startService().catch(exitWithMessage);
