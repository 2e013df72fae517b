import './platform/tracing/start';
import { exitWithMessage } from './service/exit-with-message';
import { startService } from './service/start-service';

startService().catch(exitWithMessage);
