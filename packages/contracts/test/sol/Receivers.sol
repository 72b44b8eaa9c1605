// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// Receivers of native coins that misbehave, and senders with odd ways to pay.

contract Rejector {
    receive() external payable {
        revert("no");
    }
}

/// Takes native coins while it is open, as an account that its owner can lock.
contract Gate {
    bool public closed;

    function setClosed(bool closed_) external {
        closed = closed_;
    }

    receive() external payable {
        require(!closed, "closed");
    }
}

contract GasBurner {
    receive() external payable {
        while (true) {}
    }
}

contract ReturnBomb {
    fallback() external payable {
        assembly {
            revert(0, 1000000)
        }
    }
}

/// Calls somebody when it is paid, and keeps what came of it in memory that a revert of the call cannot undo.
contract Reenterer {
    address public target;
    bytes public data;

    event Tried(bool ok);

    function setHook(address target_, bytes calldata data_) external {
        target = target_;
        data = data_;
    }

    receive() external payable {
        (bool ok,) = target.call(data);
        emit Tried(ok);
    }
}

contract StipendSender {
    /// 2,300 gas, as old contracts pay.
    function sendStipend(address payable to) external payable {
        // A call with value brings 2,300 gas by itself.
        (bool ok,) = to.call{value: msg.value, gas: 0}("");
        require(ok, "refused");
    }

    function sendCall(address payable to) external payable {
        (bool ok,) = to.call{value: msg.value}("");
        require(ok, "refused");
    }
}
