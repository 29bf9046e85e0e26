<?php

declare(strict_types=1);

namespace Parley\Internal;

class ConnectionFailed extends \RuntimeException
{
}
