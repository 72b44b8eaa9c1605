// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

// Tokens as payers send them on real chains, and tokens that try to break the vault. Anybody may mint: never deploy these
// where money is real.

abstract contract Ledger {
    uint8 public constant decimals = 6;
    mapping(address who => uint256 units) public balanceOf;
    uint256 public totalSupply;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }

    /// The same amount to each: many Transfer logs in one block.
    function mintMany(address[] calldata to, uint256 value) external {
        for (uint256 i; i < to.length; ++i) _mint(to[i], value);
    }

    function _mint(address to, uint256 value) private {
        balanceOf[to] += value;
        totalSupply += value;
        emit Transfer(address(0), to, value);
    }

    function _move(address from, address to, uint256 value) internal {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// Like USDC: answers true, blocks both sides of a transfer, can be paused.
contract TestUsdc is Ledger {
    string public constant name = "Test USD Coin";
    string public constant symbol = "USDC";
    bool public paused;
    mapping(address who => bool blocked) public isBlacklisted;

    function setBlacklisted(address who, bool blocked) external {
        isBlacklisted[who] = blocked;
    }

    function setPaused(bool on) external {
        paused = on;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        require(!paused, "Pausable: paused");
        require(!isBlacklisted[msg.sender] && !isBlacklisted[to], "Blacklistable: account is blacklisted");
        _move(msg.sender, to, value);
        return true;
    }
}

/// Like USDT on Ethereum: answers nothing, blocks the sender only, has a fee that can be switched on.
contract TestUsdt is Ledger {
    string public constant name = "Test Tether USD";
    string public constant symbol = "USDT";
    address public immutable FEE_TAKER = msg.sender;
    uint256 public feeBps;
    mapping(address who => bool blocked) public isBlackListed;

    function setBlacklisted(address who, bool blocked) external {
        isBlackListed[who] = blocked;
    }

    function setFee(uint256 bps) external {
        feeBps = bps;
    }

    function transfer(address to, uint256 value) external {
        require(!isBlackListed[msg.sender]);
        uint256 fee = value * feeBps / 10_000;
        _move(msg.sender, to, value - fee);
        if (fee != 0) _move(msg.sender, FEE_TAKER, fee);
    }
}

/// Stands before a token as the proxies of USDC do: one storage read and one delegatecall dearer.
contract TestProxy {
    // The slot ERC-1967 names, so that tokens behind the proxy do not meet it.
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    constructor(address implementation) {
        assembly {
            sstore(SLOT, implementation)
        }
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(SLOT), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(ok) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

/// Says no and moves nothing, without reverting.
contract FalseToken is Ledger {
    function transfer(address, uint256) external pure returns (bool) {
        return false;
    }
}

/// Calls somebody in the middle of a transfer.
contract HookToken is Ledger {
    address public target;
    bytes public data;
    bool public lastOk;
    bytes public lastAnswer;

    function setHook(address target_, bytes calldata data_) external {
        target = target_;
        data = data_;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        if (target != address(0)) (lastOk, lastAnswer) = target.call(data);
        return true;
    }
}

/// Reverts with a long answer, to make the caller pay for copying it.
contract BombToken is Ledger {
    function transfer(address, uint256) external pure returns (bool) {
        assembly {
            revert(0, 100000)
        }
    }
}

/// Needs a lot of gas for a transfer, as state may after a fork that re-prices it.
contract HungryToken is Ledger {
    uint256 private constant APPETITE = 500_000;

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        uint256 left = gasleft();
        while (left - gasleft() < APPETITE) {}
        return true;
    }
}
