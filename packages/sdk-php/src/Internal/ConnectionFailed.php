<?php

declare(strict_types=1);

namespace Parley\Internal;

final class ConnectionFailed extends \RuntimeException
{
}
